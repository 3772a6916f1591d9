//! The command line, as a user sees it.

// No answer gets lost.
mod answers;
// Programs that do what cannot be controlled.
#[cfg(target_os = "linux")]
mod beyond_control;
// Witnesses and explanations of CTL, conjuncts that fail.
mod branching;
// Commands and options.
mod cli;
// Jobs for several machines.
mod jobs;
// What programs under control may take, and what is left of them.
#[cfg(target_os = "linux")]
mod left_behind;
// Time and memory.
mod limits;
// Files, completions, the manual.
mod outputs;
// Programs under control.
#[cfg(target_os = "linux")]
mod programs;
// Systems of programs that are connected.
#[cfg(target_os = "linux")]
mod programs_connected;
// The same on programs as they are found.
#[cfg(target_os = "linux")]
mod programs_found;
// Live progress, interruption, colours.
mod progress;
// Recipes for schedulers.
mod recipes;
