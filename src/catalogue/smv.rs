//! The diagnostics of the SMV front end.

use super::{Entry, Family};
use crate::diagnostic::Style;
use crate::smv::{codes, load};
use crate::source::Source;

/// What is wrong with the text of a model.
pub const FAMILY: Family = Family { title: "SMV", language: "smv", codes: codes::ALL, entries: ENTRIES, diagnose };

fn diagnose(example: &str) -> String {
    let source = Source::new("example.smv", example.as_bytes());
    load(&source, &[]).diagnostics.render(&source, Style::Plain)
}

const ENTRIES: &[Entry] = &[
    Entry {
        code: "SMV001",
        example: "MODULE main
VAR x boolean;
",
        cure: "Compare with the grammar: a declaration is `name : type;`, an assignment `name := value;`. The message says what would fit at the underlined place; the mistake may also be right before it, such as a missing `;`.",
        cured: Some(
            "MODULE main
VAR x : boolean;
",
        ),
    },
    Entry {
        code: "SMV002",
        example: "MODULE main
VAR x : boolean;
INIT x @ TRUE
",
        cure: "Remove the character. Names consist of letters, digits and `_ $ # -`; any other name has to stand between double quotes, which have to be closed.",
        cured: Some(
            "MODULE main
VAR x : boolean;
INIT x = TRUE
",
        ),
    },
    Entry {
        code: "SMV003",
        example: "MODULE main
VAR a : boolean; b : boolean;
INIT a && b
",
        cure: "Write `&`, `|`, `!`, `=`, `!=`, `mod` and `:=` where other languages have `&&`, `||`, `not`, `==`, `<>`, `%` and `=`.",
        cured: Some(
            "MODULE main
VAR a : boolean; b : boolean;
INIT a & b
",
        ),
    },
    Entry {
        code: "SMV004",
        example: "MODULE main
VAR w : unsigned word[4];
INIT w = 0ud4_16
",
        cure: "A word constant has to fit its width (4 bits hold 0 to 15), an integer 64 bits, and a constant divisor is not zero.",
        cured: Some(
            "MODULE main
VAR w : unsigned word[4];
INIT w = 0ud4_15
",
        ),
    },
    Entry {
        code: "SMV005",
        example: "MODULE main
VAR x : integer;
",
        cure: "Give the variable a finite range that is large enough for what the model does. A run that would leave it is reported, so a range that is too small is never silently wrong.",
        cured: Some(
            "MODULE main
VAR x : 0..100;
",
        ),
    },
    Entry {
        code: "SMV006",
        example: "MODULE main
VAR a : boolean;
PRED a;
",
        cure: "Nothing is dropped silently, so the construct has to go: express it with VAR, ASSIGN, TRANS, INVAR and the properties that are supported.",
        cured: Some(
            "MODULE main
VAR a : boolean;
INVARSPEC a
",
        ),
    },
    Entry {
        code: "SMV007",
        example: "MODULE main
VAR a : array 1..10000000 of boolean;
",
        cure: "Make arrays and ranges smaller: most mistakes show in small instances already.",
        cured: Some(
            "MODULE main
VAR a : array 1..10 of boolean;
",
        ),
    },
    Entry {
        code: "SMV008",
        example: "MODULE main
VAR next : 0..3;
ASSIGN init(next) := 0;
INVARSPEC next < 3
",
        cure: "Choose another name. The names of operators and functions are reserved, also short ones such as A, E, F, G, H, O, S, T, U, V, X, Y, Z, as are `next`, `init`, `self`, `count`, `in` and `union`.",
        cured: Some(
            "MODULE main
VAR following : 0..3;
ASSIGN init(following) := 0;
INVARSPEC following < 3
",
        ),
    },
    Entry {
        code: "SMV010",
        example: "MODULE lamp
VAR on : boolean;
",
        cure: "Every model has a module `main` without parameters; it holds the instances of the others.",
        cured: Some(
            "MODULE lamp
VAR on : boolean;
MODULE main
VAR l : lamp;
",
        ),
    },
    Entry {
        code: "SMV011",
        example: "MODULE main
VAR x : boolean; x : 0..3;
",
        cure: "Rename one of them.",
        cured: Some(
            "MODULE main
VAR x : boolean; y : 0..3;
",
        ),
    },
    Entry {
        code: "SMV012",
        example: "MODULE main
VAR state : {idle, busy};
INVARSPEC sate = idle
",
        cure: "Check the spelling; names are case-sensitive. A variable of an instance is written `instance.name`, and a module sees its own names and its parameters only, so what it uses from outside has to be handed in.",
        cured: Some(
            "MODULE main
VAR state : {idle, busy};
INVARSPEC state = idle
",
        ),
    },
    Entry {
        code: "SMV013",
        example: "MODULE main
VAR l : lmap;
MODULE lamp
VAR on : boolean;
",
        cure: "Check the spelling of the module's name, or of the type: types are `boolean`, ranges, enumerations, `word[N]` and arrays.",
        cured: Some(
            "MODULE main
VAR l : lamp;
MODULE lamp
VAR on : boolean;
",
        ),
    },
    Entry {
        code: "SMV014",
        example: "MODULE main
VAR l : lamp(TRUE);
MODULE lamp
VAR on : boolean;
",
        cure: "Give as many arguments as the module, or the function, has parameters.",
        cured: Some(
            "MODULE main
VAR l : lamp(TRUE);
MODULE lamp(power)
VAR on : boolean;
INIT on = power
",
        ),
    },
    Entry {
        code: "SMV015",
        example: "MODULE main
VAR a : node;
MODULE node
VAR next_one : node;
",
        cure: "Instances are unfolded once and for all. Make one instance per element and hand the neighbours in as parameters.",
        cured: Some(
            "MODULE main
VAR a : node(b); b : node(a);
MODULE node(next_one)
VAR on : boolean;
INIT on = next_one.on
",
        ),
    },
    Entry {
        code: "SMV016",
        example: "MODULE main
VAR x : 0..3; y : 0..3;
ASSIGN
  x := y;
  y := x;
",
        cure: "Break the circle: assign the next value of one of them, or say what holds of both with INVAR, which allows circles.",
        cured: Some(
            "MODULE main
VAR x : 0..3; y : 0..3;
ASSIGN
  x := y;
  next(y) := x;
",
        ),
    },
    Entry {
        code: "SMV017",
        example: "MODULE main
VAR colour : {red, green}; red : boolean;
INIT red
",
        cure: "Rename the variable or the constant.",
        cured: Some(
            "MODULE main
VAR colour : {red, green}; is_red : boolean;
INIT is_red
",
        ),
    },
    Entry {
        code: "SMV018",
        example: "MODULE main
VAR a : array 0..1 of boolean;
INIT a
",
        cure: "Name an element of the array, such as `a[0]`, or a variable of the instance.",
        cured: Some(
            "MODULE main
VAR a : array 0..1 of boolean;
INIT a[0]
",
        ),
    },
    Entry {
        code: "SMV019",
        example: "MODULE main
VAR a : lamp; b : process lamp;
MODULE lamp
VAR on : boolean;
FAIRNESS running
",
        cure: "Only an instance that is declared with `process` runs by itself. Declare it so, or leave `running` out.",
        cured: Some(
            "MODULE main
VAR a : process lamp; b : process lamp;
MODULE lamp
VAR on : boolean;
FAIRNESS running
",
        ),
    },
    Entry {
        code: "SMV020",
        example: "MODULE main
VAR a : boolean; x : 0..3;
INIT a + x = 1
",
        cure: "Booleans, integers, enumerations and words do not mix. Compare, or convert with `toint`, `bool`, `word1`, `unsigned`, `signed`, `extend` or `resize`.",
        cured: Some(
            "MODULE main
VAR a : boolean; x : 0..3;
INIT toint(a) + x = 1
",
        ),
    },
    Entry {
        code: "SMV021",
        example: "MODULE main
VAR x : 0..3;
INIT x
",
        cure: "A condition is a comparison or a boolean: say what the value is compared with.",
        cured: Some(
            "MODULE main
VAR x : 0..3;
INIT x = 0
",
        ),
    },
    Entry {
        code: "SMV022",
        example: "MODULE main
VAR w : word[4];
ASSIGN init(w) := 0;
",
        cure: "Assign a value of the variable's own type; word constants are written with their width.",
        cured: Some(
            "MODULE main
VAR w : word[4];
ASSIGN init(w) := 0ud4_0;
",
        ),
    },
    Entry {
        code: "SMV023",
        example: "MODULE main
VAR a : boolean;
INIT {TRUE, FALSE}
",
        cure: "A set of values is a choice: it can be assigned, or asked for membership with `in`.",
        cured: Some(
            "MODULE main
VAR a : boolean;
INIT a in {TRUE, FALSE}
",
        ),
    },
    Entry {
        code: "SMV024",
        example: "MODULE main
VAR n : 0..3; x : 0..n;
",
        cure: "Types are fixed before the model runs: use numbers, or a DEFINE whose value is a number.",
        cured: Some(
            "MODULE main
VAR x : 0..3;
",
        ),
    },
    Entry {
        code: "SMV025",
        example: "MODULE main
VAR x : 3..1;
",
        cure: "Write the smaller bound first.",
        cured: Some(
            "MODULE main
VAR x : 1..3;
",
        ),
    },
    Entry {
        code: "SMV026",
        example: "MODULE main
VAR t : array 0..2 of boolean;
INIT t[3]
",
        cure: "Indices are integers between the bounds of the array's declaration.",
        cured: Some(
            "MODULE main
VAR t : array 0..2 of boolean;
INIT t[2]
",
        ),
    },
    Entry {
        code: "SMV027",
        example: "MODULE main
VAR w : word[4];
INIT w[4:1] = 0b4_0000
",
        cure: "Bits are numbered from 0, so a word of 4 bits has the bits 3 to 0; words have 1 to 64 bits.",
        cured: Some(
            "MODULE main
VAR w : word[4];
INIT w[3:0] = 0b4_0000
",
        ),
    },
    Entry {
        code: "SMV028",
        example: "MODULE main
VAR x : 0..3;
ASSIGN init(x) := 5;
",
        cure: "Assign a value that the variable can have, or widen its domain.",
        cured: Some(
            "MODULE main
VAR x : 0..5;
ASSIGN init(x) := 5;
",
        ),
    },
    Entry {
        code: "SMV030",
        example: "MODULE main
VAR x : 0..3;
DEFINE y := x;
ASSIGN next(y) := 1;
",
        cure: "Assign to a variable, or to an element of an array; what a DEFINE names follows from other values.",
        cured: Some(
            "MODULE main
VAR x : 0..3;
DEFINE y := x;
ASSIGN next(x) := 1;
",
        ),
    },
    Entry {
        code: "SMV031",
        example: "MODULE main
VAR x : 0..3;
ASSIGN
  next(x) := 1;
  next(x) := 2;
",
        cure: "Merge the assignments into one `case`; two values to choose from are a set, `{1, 2}`.",
        cured: Some(
            "MODULE main
VAR x : 0..3;
ASSIGN next(x) := {1, 2};
",
        ),
    },
    Entry {
        code: "SMV032",
        example: "MODULE main
FROZENVAR size : 1..3;
ASSIGN next(size) := 1;
",
        cure: "A frozen variable keeps its initial value and an input comes from outside. Declare it with VAR if the model is to change it.",
        cured: Some(
            "MODULE main
VAR size : 1..3;
ASSIGN next(size) := 1;
",
        ),
    },
    Entry {
        code: "SMV033",
        example: "MODULE main
VAR a : boolean;
INVAR next(a) = a
",
        cure: "INIT, INVAR, DEFINE of states and most properties speak of one state. What relates two states belongs into TRANS or `next(x) :=`.",
        cured: Some(
            "MODULE main
VAR a : boolean;
TRANS next(a) = a
",
        ),
    },
    Entry {
        code: "SMV034",
        example: "MODULE main
VAR a : boolean;
INVARSPEC G a
",
        cure: "Temporal operators belong into LTLSPEC or CTLSPEC; INVARSPEC already means \"always\".",
        cured: Some(
            "MODULE main
VAR a : boolean;
INVARSPEC a
",
        ),
    },
    Entry {
        code: "SMV035",
        example: "MODULE main
IVAR go : boolean;
VAR a : boolean;
INIT go -> a
",
        cure: "An input has a value during a step only. Use it in TRANS or in `next(x) :=`, or make it a variable of the state.",
        cured: Some(
            "MODULE main
IVAR go : boolean;
VAR a : boolean;
TRANS go -> next(a)
",
        ),
    },
    Entry {
        code: "SMV040",
        example: "MODULE main
VAR p : process worker;
MODULE worker
--@ pc: sate
VAR state : {idle, busy};
",
        cure: "Name a variable of the module, or leave the comment out: a program counter is then inferred. `uwbmc show` prints which one was chosen.",
        cured: Some(
            "MODULE main
VAR p : process worker;
MODULE worker
--@ pc: state
VAR state : {idle, busy};
",
        ),
    },
    Entry {
        code: "SMV050",
        example: "MODULE main
VAR a : boolean;
ASSIGN init(a) := 0;
",
        cure: "Write FALSE and TRUE. The model is accepted as it is; this is a warning.",
        cured: Some(
            "MODULE main
VAR a : boolean;
ASSIGN init(a) := FALSE;
",
        ),
    },
    Entry {
        code: "SMV051",
        example: "MODULE main
VAR p : process worker;
MODULE worker
--@ pcc: state
VAR state : {idle, busy};
",
        cure: "Write `--@ pc: variable`. Any other comment that begins with `--@` is a comment; this one is so similar that there is a warning.",
        cured: Some(
            "MODULE main
VAR p : process worker;
MODULE worker
--@ pc: state
VAR state : {idle, busy};
",
        ),
    },
];
