//! Checks an SMV text: every property gets a typed verdict that owns its evidence.

use uwbmc::{Error, Language, Model, Options, Verdict, check};

const LOCK: &str = "
MODULE user(mine, other)
VAR pc : {idle, ask, critical};
ASSIGN
  init(pc) := idle;
  next(pc) := case
    pc = idle : ask;
    pc = ask & !other : critical;
    pc = critical : idle;
    TRUE : pc;
  esac;
  next(mine) := case pc = ask & !other : TRUE; pc = critical : FALSE; TRUE : mine; esac;
MODULE main
VAR
  a : boolean; b : boolean;
  p : process user(a, b);
  q : process user(b, a);
ASSIGN init(a) := FALSE; init(b) := FALSE;
INVARSPEC NAME safe := !(p.pc = critical & q.pc = critical)
INVARSPEC NAME quiet := !(p.pc = critical)
LTLSPEC NAME served := G (p.pc = ask -> F p.pc = critical)
";

/// What is known of each property, a line each.
pub fn run() -> Result<String, Error> {
    let model = Model::parse(LOCK, Language::Smv)?;
    let report = check(&model, &Options::default(), &mut ())?;
    let lines = report.properties.iter().map(|property| match &property.verdict {
        Verdict::Violated(trace) if trace.loop_start.is_some() => {
            format!("{}: a run for ever violates it\n", property.name)
        }
        verdict => format!("{}: {verdict}\n", property.name),
    });
    Ok(lines.collect())
}

#[allow(dead_code, reason = "tests call `run`")]
fn main() -> Result<(), Error> {
    print!("{}", run()?);
    Ok(())
}
