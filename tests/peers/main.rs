//! Other tools: what NuSMV, SPIN and ABC say of the same models.

// Exported models, read back.
mod export;
// Infinite runs, confirmed by SPIN.
mod lassos;
// Agreement with NuSMV.
mod nusmv;
// Agreement with SPIN.
mod spin;
