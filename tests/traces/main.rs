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
// SPIN's trails and ours.
mod trails;
