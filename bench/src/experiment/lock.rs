//! Peterson's filter lock in Promela, for comparing speed with SPIN.

/// The lock for this many processes.
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
