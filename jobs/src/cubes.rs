//! Cubes: conjunctions that divide the solutions of a formula among jobs.
//!
//! The runs of a system are divided by what its processes are about: who makes a step, and where a process is. Of all such
//! choices, the one is taken that decides the most by unit propagation in all of its cases (Heule, Kullmann, Wieringa, Biere:
//! Cube and conquer, HVC 2011, look ahead over every variable), and the cube that decides the least is divided next. A case that
//! propagation refutes needs no job: that nothing is left out is checked when the jobs are joined.

use super::propagation::Propagation;
use encoder::{Cnf, Lit};

/// The most choices that are compared at the beginning, evenly among all.
const SAMPLE: usize = 400;

/// The most choices that are compared at each cube, the best ones of the beginning.
const SHORT_LIST: usize = 24;

/// Divides the solutions of a formula into at most this many cubes, by choices.
pub fn cubes(formula: &Cnf, choices: &[Vec<Lit>], wanted: usize) -> Vec<Vec<Lit>> {
    let mut division = Division { propagation: Propagation::new(formula), choices: Vec::new() };
    let Some(whole) = division.cube(Vec::new()) else { return Vec::new() };
    division.choices = division.short_list(choices, &whole);
    let (mut open, mut done) = (vec![whole], Vec::new());
    while open.len() + done.len() < wanted {
        let Some(easiest) = (0..open.len()).min_by_key(|index| open[*index].decided) else { break };
        let cube = open.swap_remove(easiest);
        let room = wanted - open.len() - done.len();
        match division.divide(&cube, room) {
            Some(cases) => open.extend(cases),
            None => done.push(cube),
        }
    }
    let mut cubes: Vec<Vec<Lit>> = done.into_iter().chain(open).map(|cube| cube.literals).collect();
    cubes.sort();
    cubes
}

/// A cube, and how many literals follow from it.
struct Cube {
    literals: Vec<Lit>,
    decided: usize,
}

struct Division {
    propagation: Propagation,
    /// The choices that are compared.
    choices: Vec<Vec<Lit>>,
}

impl Division {
    /// A cube, unless propagation refutes it.
    fn cube(&mut self, literals: Vec<Lit>) -> Option<Cube> {
        let decided = self.propagation.decided(&literals)?;
        Some(Cube { literals, decided })
    }

    /// The choices that divide the whole formula best.
    fn short_list(&mut self, choices: &[Vec<Lit>], whole: &Cube) -> Vec<Vec<Lit>> {
        let apart = choices.len().div_ceil(SAMPLE).max(1);
        let mut scored: Vec<(f64, &Vec<Lit>)> = Vec::new();
        for choice in choices.iter().step_by(apart) {
            let cases = self.cases(whole, choice, usize::MAX);
            scored.extend(gain(whole, &cases).map(|gain| (gain, choice)));
        }
        // The order of equals is that of the formula.
        scored.sort_by(|(one, _), (other, _)| other.total_cmp(one));
        scored.into_iter().take(SHORT_LIST).map(|(_, choice)| choice.clone()).collect()
    }

    /// Divides a cube by the best choice into at most this many; none if no choice divides it.
    fn divide(&mut self, cube: &Cube, most: usize) -> Option<Vec<Cube>> {
        let mut best: Option<(f64, Vec<Cube>)> = None;
        for index in 0..self.choices.len() {
            let choice = self.choices[index].clone();
            let cases = self.cases(cube, &choice, most);
            let Some(gain) = gain(cube, &cases) else { continue };
            if best.as_ref().is_none_or(|(most, _)| gain > *most) {
                best = Some((gain, cases));
            }
        }
        best.map(|(_, cases)| cases)
    }

    /// The cases of a choice in a cube that propagation does not refute: one for each literal, as far as there is room, and
    /// one in which none of these is true.
    fn cases(&mut self, cube: &Cube, choice: &[Lit], most: usize) -> Vec<Cube> {
        let mut cases = Vec::new();
        let mut rest = cube.literals.clone();
        for lit in choice {
            if cases.len() + 1 >= most {
                break;
            }
            cases.extend(self.cube([cube.literals.as_slice(), &[*lit]].concat()));
            rest.push(!*lit);
        }
        cases.extend(self.cube(rest));
        cases
    }
}

/// How much is gained by dividing a cube: the harmonic mean of what the cases decide, for each halving that they amount to.
/// None if there is but one case.
fn gain(cube: &Cube, cases: &[Cube]) -> Option<f64> {
    let number = cases.len() as f64;
    let more = cases.iter().map(|case| (case.decided.saturating_sub(cube.decided) as f64).max(1.0));
    (cases.len() > 1).then(|| number / more.map(|more| 1.0 / more).sum::<f64>() / number.log2())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lits(numbers: &[i32]) -> Vec<Lit> {
        numbers.iter().filter_map(|number| Lit::from_dimacs(*number)).collect()
    }

    /// Every assignment of a few variables that satisfies the formula is in exactly one cube.
    fn are_a_division(formula: &Cnf, cubes: &[Vec<Lit>]) -> bool {
        (0..1_u32 << formula.variables).all(|assignment| {
            let holds = |lit: &Lit| (assignment >> (lit.variable() - 1) & 1 == 1) == lit.is_positive();
            let is_solution = formula.clauses.iter().all(|clause| clause.iter().any(holds));
            let cubes = cubes.iter().filter(|cube| cube.iter().all(holds)).count();
            !is_solution || cubes == 1
        })
    }

    #[test]
    fn every_solution_is_in_one_cube_and_there_are_as_many_as_wanted() {
        // Two choices of three, of which some pairs are excluded.
        let clauses = [&[1, 2, 3][..], &[-1, -2], &[-1, -3], &[-2, -3], &[4, 5, 6], &[-4, -5], &[-4, -6], &[-5, -6]];
        let mut formula = Cnf { variables: 6, clauses: clauses.iter().map(|clause| lits(clause)).collect() };
        let choices = [lits(&[1, 2, 3]), lits(&[4, 5, 6])];
        for wanted in 1..=9 {
            let cubes = cubes(&formula, &choices, wanted);
            assert_eq!(cubes.len(), wanted);
            assert!(are_a_division(&formula, &cubes), "{cubes:?}");
        }
        formula.clauses.push(lits(&[-1, -4]));
        let cubes = cubes(&formula, &choices, 20);
        assert_eq!(cubes.len(), 8, "what propagation refutes is left out");
        assert!(are_a_division(&formula, &cubes), "{cubes:?}");
    }
}
