//! RUP and RAT by their definitions, without any data structure.

use proof::Lit;

/// The LRAT hints for a lemma, if it is RUP or RAT on its first literal. Clauses are numbered from one.
pub fn hints(clauses: &[Vec<Lit>], lemma: &[Lit]) -> Option<Vec<i64>> {
    rup(clauses, lemma).or_else(|| rat(clauses, lemma))
}

/// The hints for a lemma if it is RUP: unit propagation up to a conflict once it is assumed to be false.
pub fn rup(clauses: &[Vec<Lit>], lemma: &[Lit]) -> Option<Vec<i64>> {
    let mut assigned: Vec<Lit> = lemma.iter().map(|&lit| !lit).collect();
    let mut hints = Vec::new();
    if lemma.iter().any(|lit| assigned.contains(lit)) {
        return Some(hints);
    }
    loop {
        let before = assigned.len();
        for (id, clause) in (1..).zip(clauses) {
            let mut open: Vec<Lit> = clause.iter().copied().filter(|lit| !assigned.contains(&!*lit)).collect();
            open.sort_unstable();
            open.dedup();
            match open[..] {
                [] => return Some(hints.into_iter().chain([id]).collect()),
                [unit] if !assigned.contains(&unit) => {
                    assigned.push(unit);
                    hints.push(id);
                }
                _ => {}
            }
        }
        if assigned.len() == before {
            return None;
        }
    }
}

/// The hints for all resolvents on the first literal, each group on its own.
fn rat(clauses: &[Vec<Lit>], lemma: &[Lit]) -> Option<Vec<i64>> {
    let &pivot = lemma.first()?;
    let mut hints = Vec::new();
    for (id, clause) in (1..).zip(clauses).filter(|(_, clause)| clause.contains(&!pivot)) {
        let rest = clause.iter().copied().filter(|&lit| lit != !pivot);
        let resolvent: Vec<Lit> = lemma.iter().copied().chain(rest).collect();
        hints.push(-id);
        hints.extend(rup(clauses, &resolvent)?);
    }
    Some(hints)
}
