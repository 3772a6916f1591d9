//! The diagnostics of automata in the Hanoi format.

use crate::diagnostic::{Code, codes};

codes! {
    SYNTAX = "HOA001": "The text is not what the Hanoi format has here.";
    UNSUPPORTED = "HOA002": "A part of the Hanoi format that is not supported, such as alternation.";
    ACCEPTANCE = "HOA003": "An acceptance condition that is neither Büchi nor generalised Büchi.";
    RANGE = "HOA004": "A state, condition, alias or acceptance set that is not declared.";
    PREDICATE = "HOA005": "An atomic proposition that is not a condition on states of the model.";
}
