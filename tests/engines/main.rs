//! The engines that decide properties: they agree with each other, with oracles, and with what is known of models.

// Invariants of processes that can change places.
mod alike;
// What programs always satisfy.
mod always;
// Automata in files.
mod automata;
// Engines that unroll against breadth-first search.
mod bmc;
// Values that are known as constants.
mod constants;
// Processes that ask how many there are, beside a claim and without one.
mod counted;
// CTL by decision diagrams.
mod ctl;
// CTL and COMPUTE as NuSMV answers them, on random models.
mod ctl_nusmv;
// The size of unrollings.
mod encoding;
// Interleavings under fairness.
mod fair_interleavings;
// What is dead is forgotten.
mod forgetting;
// Hunting by parallel steps.
mod hunt;
// What follows from itself.
mod inductive;
// Lassos by engines that unroll.
mod lasso;
// The same of processes that can change places.
mod lasso_alike;
// Those that NuSMV and SPIN find in small models.
mod lasso_known;
// Their lengths, as NuSMV has them.
mod lasso_nusmv;
// The past in programs with atomic sections.
mod lasso_sections;
// What plain bounded model checking leaves out.
mod left_out;
// Every model by every solver.
mod matrix;
// States, verdicts and depths of models/.
mod models;
// What is found although not everything can be.
mod open_ended;
// Engines that unroll on Promela.
mod promela_bounded;
// What --proof writes and what was tampered with.
mod proofs;
// Who is told what in the race.
mod race;
// Formulas and machine as relations.
mod relation;
// What keeps the books only.
mod settled;
// One conformance suite for every solver.
mod solvers;
// Temporal properties as NuSMV and SPIN answer them.
mod temporal;
// Engines that look at all states.
mod unbounded;
// What is never met, and loops as they are shown.
mod unmet;
// Random walks.
mod walks;
// Underapproximation-widening as the paper has it.
mod widening;
