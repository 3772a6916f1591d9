//! Tokens of the Promela language.

use crate::spelled::spelled;
use std::rc::Rc;
use system::Span;

/// What a token is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Token {
    /// A name that is no keyword.
    Name(Rc<str>),
    /// A number or a character constant.
    Number(i64),
    /// A string, without its quotes.
    Text(Rc<str>),
    /// A keyword.
    Keyword(Keyword),
    /// An operator or a bracket.
    Sign(Sign),
    /// Something that is no token of the language.
    Unknown(char),
    /// The end of the file.
    End,
}

/// A token and its place.
#[derive(Clone, Debug)]
pub struct Spanned {
    /// What it is.
    pub token: Token,
    /// Where it is; for what a macro expands to, where the macro is used.
    pub span: Span,
    /// Whether it is the first one on its line, as the text has lines.
    pub begins_line: bool,
}

spelled! {
    /// The reserved words.
    Keyword {
        Active = "active", Assert = "assert", Atomic = "atomic", Bit = "bit", Bool = "bool", Break = "break",
        Byte = "byte", CCode = "c_code", CDecl = "c_decl", CExpr = "c_expr", CState = "c_state", CTrack = "c_track",
        Chan = "chan", DProctype = "D_proctype", DStep = "d_step", Do = "do", Else = "else", Empty = "empty",
        Enabled = "enabled", Eval = "eval", False = "false", Fi = "fi", For = "for", Full = "full",
        GetPriority = "get_priority", Goto = "goto", Hidden = "hidden", If = "if", Init = "init",
        Inline = "inline", Int = "int", Len = "len", Local = "local", Ltl = "ltl", Mtype = "mtype",
        NotEmpty = "nempty", Never = "never", NotFull = "nfull", NoTrace = "notrace", NonProgress = "np_", Od = "od",
        Of = "of", PcValue = "pc_value", Pid = "pid", Printf = "printf", Printm = "printm", Priority = "priority",
        Proctype = "proctype", Provided = "provided", Return = "return", Run = "run", Select = "select",
        SetPriority = "set_priority", Short = "short", Show = "show", Skip = "skip", Timeout = "timeout",
        Trace = "trace", True = "true", Typedef = "typedef", Unless = "unless", Unsigned = "unsigned", Xr = "xr",
        Xs = "xs",
    }
}

spelled! {
    /// Operators and brackets. Longer spellings come before their prefixes.
    Sign {
        Option = "::", Range = "..", LongArrow = "-->", Arrow = "->", Increment = "++", Decrement = "--", Equal = "==",
        NotEqual = "!=", LessEqual = "<=", GreaterEqual = ">=", ShiftLeft = "<<", ShiftRight = ">>", And = "&&",
        Or = "||", SortedSend = "!!", RandomReceive = "??", Conjunction = "/\\", Disjunction = "\\/", Paste = "##",
        OpenParen = "(", CloseParen = ")", OpenBracket = "[", CloseBracket = "]", OpenBrace = "{",
        CloseBrace = "}", Plus = "+", Minus = "-", Times = "*", Divide = "/", Modulo = "%", Assign = "=",
        Less = "<", Greater = ">", Dot = ".", BitOr = "|", BitAnd = "&", BitXor = "^", Not = "!", Complement = "~",
        Question = "?", Comma = ",", Colon = ":", Semicolon = ";", At = "@", Hash = "#",
    }
}

impl Token {
    /// The token for people.
    pub fn describe(&self) -> String {
        match self {
            Token::Name(name) => format!("`{name}`"),
            Token::Number(value) => format!("`{value}`"),
            Token::Text(_) => "a string".to_owned(),
            Token::Keyword(keyword) => format!("`{}`", keyword.text()),
            Token::Sign(sign) => format!("`{}`", sign.text()),
            Token::Unknown(char) => format!("`{}`", char.escape_default()),
            Token::End => "the end of the file".to_owned(),
        }
    }
}
