//! The diagnostics of the SMV front end: each has a code that stays the same across versions.

use crate::diagnostic::{Code, codes};

codes! {
    SYNTAX = "SMV001": "The text is not what the grammar expects here.";
    CHARACTER = "SMV002": "A character or token that SMV does not have.";
    FOREIGN_OPERATOR = "SMV003": "An operator of another language, such as && or ==.";
    NUMBER = "SMV004": "A number or word constant that is out of range or malformed.";
    UNBOUNDED = "SMV005": "An unbounded type (integer, real) or constant: only finite domains are supported.";
    UNSUPPORTED = "SMV006": "A construct that is not supported.";
    TOO_LARGE = "SMV007": "The model is too large to be represented.";
    RESERVED = "SMV008": "A reserved word that is used as a name.";
    NO_MAIN = "SMV010": "The file has no module main, or main has parameters.";
    DUPLICATE = "SMV011": "The same name is declared twice.";
    UNDEFINED = "SMV012": "A name that is not declared.";
    UNKNOWN_MODULE = "SMV013": "An instance of a module that does not exist.";
    ARGUMENT_COUNT = "SMV014": "An instance with too many or too few arguments.";
    RECURSIVE_MODULE = "SMV015": "A module that contains itself.";
    CIRCULAR = "SMV016": "Definitions or assignments that depend on themselves.";
    AMBIGUOUS = "SMV017": "A name that is both a constant of an enumeration and something else.";
    NOT_A_VALUE = "SMV018": "An instance or an array where a value is needed.";
    RUNNING = "SMV019": "`running` outside a process.";
    TYPE = "SMV020": "Operands whose types do not fit the operator.";
    CONDITION_TYPE = "SMV021": "A condition that is not boolean.";
    ASSIGN_TYPE = "SMV022": "An assignment of a value of another type.";
    SET = "SMV023": "A set where a single value is needed.";
    CONSTANT = "SMV024": "An expression that has to be constant and is not.";
    EMPTY_RANGE = "SMV025": "A range or enumeration without values.";
    INDEX = "SMV026": "An array index that is out of bounds or has the wrong type.";
    WIDTH = "SMV027": "A word width, bit selection or shift out of range.";
    OUTSIDE_DOMAIN = "SMV028": "A constant assigned to a variable that cannot have it.";
    TARGET = "SMV030": "An assignment to something that is no variable.";
    ASSIGNED_TWICE = "SMV031": "A variable with two assignments of one kind.";
    FROZEN = "SMV032": "An assignment to the next value of a frozen variable, or to an input.";
    NEXT = "SMV033": "next() where it is not allowed.";
    TEMPORAL = "SMV034": "A temporal operator where it is not allowed.";
    INPUT = "SMV035": "An input variable or `running` where only the state counts.";
    CONTROL = "SMV040": "A program counter that the process does not have.";
    LEGACY_BOOLEAN = "SMV050": "0 or 1 used as a boolean, as old SMV models do.";
    REMARK = "SMV051": "A comment that looks as if it names a program counter, and does not.";
}
