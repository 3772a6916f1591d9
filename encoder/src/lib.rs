//! From multi-process systems to clauses.
