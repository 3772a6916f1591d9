//! Pages, for people: what they say is so.

// The arrows between crates.
mod architecture;
// The catalogue of diagnostics.
mod catalogue;
// Docs/.
mod docs;
// The programs in examples/.
mod examples;
// The HTML report in a browser.
mod html;
// Pages of compare and bench in a browser.
mod html_sheets;
// README.md.
mod readme;
// Docs/results.md.
mod results;
