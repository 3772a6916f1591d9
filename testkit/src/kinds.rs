//! A run with everything that a trace can hold.

use crate::traces::Run;
use crate::walks::walk;
use system::PropertyId;

/// A model with every kind of variable, inputs, two processes and a name to quote.
pub const KINDS: &str = "MODULE worker(turn)
VAR pc : {idle, \"at work\"}; left : -3..3;
ASSIGN
  init(pc) := idle; init(left) := 0;
  next(pc) := case pc = idle : \"at work\"; TRUE : idle; esac;
  next(left) := case left < 3 : left + 1; TRUE : -3; esac;
MODULE main
VAR
  on : boolean;
  u : unsigned word[8]; s : signed word[5];
  mixed : {red, 7, green};
  a : array 1..2 of boolean;
  p : process worker(on); q : process worker(on);
IVAR push : boolean; level : 0..2;
ASSIGN
  init(on) := FALSE; init(u) := 0ud8_250; init(s) := -0sd5_2; init(mixed) := red;
  next(on) := push; next(u) := u + 0ud8_3; next(s) := s - 0sd5_3;
  next(mixed) := case mixed = red : 7; mixed = 7 : green; TRUE : red; esac;
  init(a[1]) := FALSE; init(a[2]) := TRUE;
  next(a[1]) := a[2]; next(a[2]) := a[1];
INVARSPEC NAME quiet := !on
";

/// A run of [`KINDS`] in which every process moves, and which violates its property.
pub fn kinds() -> Run {
    let mut run = walk("kinds.smv", KINDS, 12, 3);
    let moved = |name: &str| {
        let process = run.machine.system().process_named(name);
        run.trace.moves.iter().any(|moved| Some(moved.process) == process)
    };
    assert!(moved("main") && moved("p") && moved("q"));
    let property = PropertyId::from(0);
    assert!(run.trace.violates(&run.machine, property).is_some());
    run.property = Some(property);
    run
}
