//! From the syntax tree back to text.
