//! Other tools: what NuSMV, SPIN and ABC say of the same models.

// Exported models, read back.
mod export;
// Agreement with NuSMV.
mod nusmv;
// Agreement with SPIN.
mod spin;
