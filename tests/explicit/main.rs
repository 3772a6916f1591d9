//! Explicit-state search: every way of it finds what the plain one finds.

// What cannot influence the properties, beside engines that are named.
mod cone;
// Ways of explicit search on random programs.
mod explicit;
// Independence of atomic sections.
mod independence;
// Interchangeable processes whose names are values.
mod names;
// The figures of the papers.
mod papers;
// What there is to find, by visiting every state in the plainest way.
mod plainly;
// Reductions on Promela.
mod reduction;
// One state for all that differ in interchangeable processes only.
mod symmetry;
