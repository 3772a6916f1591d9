//! The diagnostics of the Promela front end: each has a code that stays the same across versions.

use crate::diagnostic::{Code, codes};

codes! {
    SYNTAX = "PML001": "The text is not what the grammar expects here.";
    CHARACTER = "PML002": "A character or token that Promela does not have.";
    PREPROCESSOR = "PML003": "A directive of the preprocessor that is wrong or not supported.";
    NUMBER = "PML004": "A number that is out of range.";
    UNSUPPORTED = "PML005": "A construct that is not supported.";
    TOO_LARGE = "PML006": "The model is too large or nested too deeply to be represented.";
    RESERVED = "PML007": "A reserved word of Promela as a name.";
    DUPLICATE = "PML010": "The same name is declared twice.";
    UNDEFINED = "PML011": "A name that is not declared.";
    NO_PROCESS = "PML012": "The model has no process that runs: no init and no active proctype.";
    ARGUMENT_COUNT = "PML013": "Too many or too few arguments or message fields.";
    LABEL = "PML014": "A goto or a reference to a label that does not exist, or a misplaced label.";
    BREAK = "PML015": "A break outside a loop.";
    TYPE = "PML020": "A variable, array, structure or channel where something else is needed.";
    CONSTANT = "PML021": "An expression that has to be constant and is not.";
    SIZE = "PML022": "An array length, bit width or channel capacity out of range.";
    RUN = "PML023": "A run where it is not allowed.";
    ELSE = "PML024": "An else outside a selection, two of them, or one beside sends and receives.";
    CLAIM = "PML025": "A variable or action where only observing is allowed, or observing where it is not.";
    TEMPORAL = "PML026": "A temporal formula where a number is needed.";
    ASSIGNED = "PML027": "An assignment where a condition is expected.";
    GROUPING = "PML028": "Operators of one level in a formula, which are read from the left.";
    FOREIGN = "PML029": "An operator of formulas that SPIN does not know.";
    PROCESSES = "PML030": "More processes than SPIN can create, or than there is room for.";
}
