//! Peterson's filter lock twice, step for step the same: as a system, and in Promela for comparing speed with SPIN.

use super::program::Program;
use system::{Binary, ExprId, System, VarId};

/// The lock for so many processes.
pub fn filter_lock(processes: usize) -> System {
    let mut program = Program::default();
    let top = processes as i64 - 1;
    let level: Vec<VarId> = (0..processes).map(|index| program.number(&format!("level{index}"), top, 0)).collect();
    let last: Vec<VarId> =
        (0..processes).map(|index| program.number(&format!("last{index}"), processes as i64, 0)).collect();
    for index in 0..processes {
        let (own, number) = (level[index], index as i64 + 1);
        let process = program.process(&format!("p{index}"), 5, &[]);
        let always = program.always();
        program.command(process, 0, 1, always, Vec::new());
        let raise = program.add(own, 1);
        program.command(process, 1, 2, always, vec![raise]);
        for (at, place) in last.iter().enumerate().skip(1) {
            let (here, come) = (program.equals(own, at as i64), program.set(*place, number));
            program.command(process, 2, 3, here, vec![come]);
        }
        let passes = passes(&mut program, &level, &last, index);
        let (below, above) = (program.is_less(own, top), program.equals(own, top));
        let climbs = program.system.exprs.and(below, passes);
        let enters = program.system.exprs.and(above, passes);
        program.command(process, 3, 1, climbs, Vec::new());
        program.command(process, 3, 4, enters, Vec::new());
        let leave = program.set(own, 0);
        program.command(process, 4, 0, always, vec![leave]);
    }
    program.system
}

/// Whether everybody else is below, or somebody came later to the level.
fn passes(program: &mut Program, level: &[VarId], last: &[VarId], index: usize) -> ExprId {
    let own = program.now(level[index]);
    let others = level.iter().enumerate().filter(|(other, _)| *other != index);
    let below: Vec<ExprId> = others
        .map(|(_, other)| {
            let other = program.now(*other);
            program.system.exprs.binary(Binary::Less, other, own)
        })
        .collect();
    let lowest = program.system.exprs.all(below);
    let mut later = program.system.exprs.boolean(false);
    for (at, place) in last.iter().enumerate().skip(1) {
        let (here, mine) = (program.equals(level[index], at as i64), program.equals(*place, index as i64 + 1));
        let overtaken = program.system.exprs.not(mine);
        let both = program.system.exprs.and(here, overtaken);
        later = program.system.exprs.or(later, both);
    }
    program.system.exprs.or(lowest, later)
}

/// The same in Promela.
pub fn promela(processes: usize) -> String {
    let below = |other: usize| format!("(_pid == {other} || level[{other}] < level[_pid])");
    let below: Vec<String> = (0..processes).map(below).collect();
    let passes = format!("({} || last[level[_pid]] != _pid + 1)", below.join(" && "));
    let top = processes - 1;
    format!(
        "byte level[{processes}];
byte last[{processes}];

active [{processes}] proctype P() {{
idle: skip;
raise: level[_pid] = level[_pid] + 1;
claim: last[level[_pid]] = _pid + 1;
await: if
  :: {passes} && level[_pid] < {top} -> goto raise
  :: {passes} && level[_pid] == {top} -> goto critical
  fi;
critical: level[_pid] = 0; goto idle
}}
"
    )
}
