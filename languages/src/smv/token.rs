//! Tokens of the SMV language.

use crate::spelled::spelled;
use system::Span;

/// What a token is. Names and numbers are read from the source by their span.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Token {
    /// An identifier, or a quoted one.
    Identifier,
    /// A decimal number.
    Number,
    /// A word constant, such as `0ud8_5`.
    Word,
    /// A real, fractional or exponential constant.
    Real,
    /// A keyword.
    Keyword(Keyword),
    /// An operator or a bracket.
    Sign(Sign),
    /// Something that is no token of the language.
    Unknown,
    /// The end of the file.
    End,
}

/// A token and its place.
#[derive(Clone, Copy, Debug)]
pub struct Spanned {
    /// What it is.
    pub token: Token,
    /// Where it is.
    pub span: Span,
}

spelled! {
    /// The reserved words.
    Keyword {
        Module = "MODULE", Process = "process", Define = "DEFINE", ArrayDefine = "MDEFINE", Var = "VAR",
        FrozenVar = "FROZENVAR", Ivar = "IVAR", Init = "INIT", Trans = "TRANS", Invar = "INVAR", Spec = "SPEC",
        CtlSpec = "CTLSPEC", LtlSpec = "LTLSPEC", PslSpec = "PSLSPEC", Compute = "COMPUTE", InvarSpec = "INVARSPEC",
        Name = "NAME", Constants = "CONSTANTS", Context = "IN", Fairness = "FAIRNESS", Justice = "JUSTICE",
        Compassion = "COMPASSION", Isa = "ISA", Assign = "ASSIGN", Pred = "PRED", Mirror = "MIRROR",
        Array = "array", Of = "of", Boolean = "boolean", Integer = "integer", Real = "real", Word = "word",
        WordOfBoolean = "word1", BooleanOf = "bool", Signed = "signed", Unsigned = "unsigned", Extend = "extend",
        Resize = "resize", SizeOf = "sizeof", ToInt = "toint", Count = "count", UnsignedConst = "uwconst",
        SignedConst = "swconst", Read = "READ", Write = "WRITE",
        Ex = "EX", Ax = "AX", Ef = "EF", Af = "AF", Eg = "EG", Ag = "AG", E = "E", A = "A",
        F = "F", O = "O", G = "G", H = "H", X = "X", Y = "Y", Z = "Z", U = "U", S = "S", V = "V", T = "T",
        BoundedUntil = "BU", Ebf = "EBF", Abf = "ABF", Ebg = "EBG", Abg = "ABG", Min = "MIN", Max = "MAX",
        True = "TRUE", False = "FALSE", Case = "case", Esac = "esac", Mod = "mod", Next = "next",
        SmallInit = "init", SelfWord = "self", Union = "union", In = "in", Xor = "xor", Xnor = "xnor",
    }
}

spelled! {
    /// Operators and brackets. Longer spellings come before their prefixes.
    Sign {
        RotateLeft = "<<<", RotateRight = ">>>", Iff = "<->", Assign = ":=", Concat = "::", Range = "..",
        Implies = "->", NotEqual = "!=", LessEqual = "<=", GreaterEqual = ">=", ShiftLeft = "<<", ShiftRight = ">>",
        DoubleAnd = "&&", DoubleOr = "||", DoubleEqual = "==", Unequal = "<>", EqualLess = "=<", DoubleArrow = "=>",
        Percent = "%", Tilde = "~",
        OpenParen = "(", CloseParen = ")", OpenBracket = "[", CloseBracket = "]", OpenBrace = "{",
        CloseBrace = "}", Plus = "+", Minus = "-", Times = "*", Divide = "/", Equal = "=", Less = "<",
        Greater = ">", Dot = ".", Or = "|", And = "&", Not = "!", Question = "?", Comma = ",", Colon = ":",
        Semicolon = ";",
    }
}

impl Keyword {
    /// Whether a section of a module begins with this word: where reading goes on after an error.
    pub fn begins_section(self) -> bool {
        matches!(
            self,
            Keyword::Module
                | Keyword::Define
                | Keyword::ArrayDefine
                | Keyword::Var
                | Keyword::FrozenVar
                | Keyword::Ivar
                | Keyword::Init
                | Keyword::Trans
                | Keyword::Invar
                | Keyword::Spec
                | Keyword::CtlSpec
                | Keyword::LtlSpec
                | Keyword::PslSpec
                | Keyword::Compute
                | Keyword::InvarSpec
                | Keyword::Constants
                | Keyword::Fairness
                | Keyword::Justice
                | Keyword::Compassion
                | Keyword::Isa
                | Keyword::Assign
                | Keyword::Pred
                | Keyword::Mirror
        )
    }
}
