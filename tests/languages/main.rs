//! The front ends: what they accept, what they reject, what they make of it.

// Processes that create processes.
mod creation;
// Random SMV expressions against an evaluator and NuSMV.
mod expressions;
// What fuzzers run.
mod fuzz_targets;
// Mutated SMV.
mod smv_fuzz;
// Reading that has to end before the model does.
mod interrupted;
// Very large and very deep models.
mod large;
// Files, standard input, macros, included files.
mod loading;
// What is printed reads as the same tree.
mod printing;
// Promela on small files, one feature or one mistake each.
mod promela;
// Mutated Promela.
mod promela_fuzz;
// SMV on small files, one feature or one mistake each.
mod smv;
// Systems as text.
mod system_form;
