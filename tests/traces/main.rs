//! Runs: the document, its formats, simpler counterexamples, trails.

// Names that try to break out of an output.
mod hostile;
// Messages and printed texts.
mod messages;
// Simpler counterexamples.
mod simplify;
// The document and its schema.
mod trace_document;
// Formats of other tools.
mod trace_formats;
// NuSMV executes our XML.
mod trace_nusmv;
// Runs that are put into words while they are written.
mod told;
// SPIN's trails and ours.
mod trails;
