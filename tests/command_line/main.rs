//! The command line, as a user sees it.

// No answer gets lost.
mod answers;
// Commands and options.
mod cli;
// Files, completions, the manual.
mod outputs;
// Live progress, interruption, colours.
mod progress;
