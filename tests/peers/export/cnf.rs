//! Reading DIMACS back.

use encoder::Lit;
use uwbmc::limits::{Effort, Handle};
use uwbmc::sat::{Answer, Choice, Model};

/// A formula and its comments.
pub struct Dimacs {
    pub comments: Vec<String>,
    clauses: Vec<Vec<Lit>>,
    variables: u32,
}

impl Dimacs {
    pub fn parse(text: &str) -> Dimacs {
        let comments = text.lines().filter_map(|line| line.strip_prefix("c ")).map(str::to_owned).collect();
        let mut lines = text.lines().filter(|line| !line.starts_with('c'));
        let header: Vec<&str> = lines.next().expect("a header").split(' ').collect();
        let ["p", "cnf", variables, count] = header[..] else { panic!("{header:?}") };
        let variables: u32 = variables.parse().expect("a number");
        let clauses: Vec<Vec<Lit>> = lines.map(clause).collect();
        assert_eq!(count.parse(), Ok(clauses.len()), "the header counts the clauses");
        assert!(clauses.iter().flatten().all(|lit| lit.variable() <= variables), "the header counts the variables");
        Dimacs { comments, clauses, variables }
    }

    /// Adds a literal as a clause.
    pub fn assume(&mut self, number: i32) {
        self.clauses.push(Lit::from_dimacs(number).into_iter().collect());
    }

    /// An assignment, if there is one.
    pub fn solve(&self) -> Option<Model> {
        let mut solver = Choice::default().start(uwbmc::sat::Setup::default());
        for _ in 0..self.variables {
            solver.fresh();
        }
        for clause in &self.clauses {
            solver.clause(clause);
        }
        match solver.solve(&[], Effort::Unlimited, &mut Handle::default()) {
            Answer::Sat(model) => Some(model),
            Answer::Unsat(_) => None,
            Answer::Interrupted | Answer::Exhausted | Answer::Failed(_) => panic!("nothing interrupts"),
        }
    }

    /// What an assignment says of a comment such as `step 0 running:p1`.
    pub fn says(&self, model: &Model, name: &str) -> Option<bool> {
        let prefix = format!("{name} ");
        let literal = self.comments.iter().find_map(|comment| comment.strip_prefix(&prefix))?;
        Some(match literal {
            "true" => true,
            "false" => false,
            number => model.holds(Lit::from_dimacs(number.parse().expect("a number")).expect("a literal")),
        })
    }
}

fn clause(line: &str) -> Vec<Lit> {
    let numbers: Vec<i32> = line.split(' ').map(|number| number.parse().expect("a number")).collect();
    let (zero, numbers) = numbers.split_last().expect("a clause ends in 0");
    assert_eq!(*zero, 0, "{line}");
    numbers.iter().map(|number| Lit::from_dimacs(*number).expect("0 is the end")).collect()
}
