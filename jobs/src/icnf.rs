//! Formulas with cubes as text: iCNF, which has the clauses once and then the assumptions of each question, as incremental
//! solvers and those that divide and conquer read it.

use encoder::{Cnf, Lit};
use std::fmt::Write;

/// A formula and the cubes that it is to be solved under, one after the other.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Icnf {
    /// The formula.
    pub formula: Cnf,
    /// The cubes.
    pub cubes: Vec<Vec<Lit>>,
}

impl Icnf {
    /// The text, which begins with comments.
    pub fn render(&self, comments: &[String]) -> String {
        let mut text = String::new();
        for comment in comments {
            let _ = writeln!(text, "c {comment}");
        }
        text.push_str("p inccnf\n");
        for (mark, clauses) in [("", &self.formula.clauses), ("a ", &self.cubes)] {
            for clause in clauses {
                text.push_str(mark);
                for lit in clause {
                    let _ = write!(text, "{} ", lit.to_dimacs());
                }
                text.push_str("0\n");
            }
        }
        text
    }

    /// Reads a text. Each clause and each cube has a line.
    pub fn parse(text: &str) -> Result<Icnf, String> {
        let mut icnf = Icnf::default();
        let mut lines = text.lines().enumerate().filter(|(_, line)| !line.starts_with('c'));
        if lines.next().map(|(_, line)| line.trim_end()) != Some("p inccnf") {
            return Err("expected `p inccnf` after the comments".to_owned());
        }
        for (number, line) in lines {
            let at = |why: &str| format!("line {}: {why}", number + 1);
            match line.strip_prefix("a ") {
                Some(cube) => icnf.cubes.push(literals(cube).map_err(at)?),
                None => icnf.formula.clauses.push(literals(line).map_err(at)?),
            }
        }
        let all = icnf.formula.clauses.iter().chain(&icnf.cubes).flatten();
        icnf.formula.variables = all.map(|lit| lit.variable()).max().unwrap_or(0);
        Ok(icnf)
    }
}

/// The literals of a line, up to its zero.
fn literals(line: &str) -> Result<Vec<Lit>, &'static str> {
    let mut words = line.split_ascii_whitespace();
    let mut found = Vec::new();
    loop {
        match words.next().map(str::parse::<i32>) {
            Some(Ok(0)) if words.next().is_none() => return Ok(found),
            Some(Ok(number)) => found.push(Lit::from_dimacs(number).ok_or("expected nothing after 0")?),
            Some(Err(_)) => return Err("expected a literal"),
            None => return Err("expected 0 at the end"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let lits = |numbers: &[i32]| numbers.iter().filter_map(|number| Lit::from_dimacs(*number)).collect();
        let formula = Cnf { variables: 3, clauses: vec![lits(&[1, -2]), lits(&[3]), Vec::new()] };
        let icnf = Icnf { formula, cubes: vec![lits(&[-1, 2]), Vec::new()] };
        let text = icnf.render(&["a comment".to_owned()]);
        assert_eq!(text, "c a comment\np inccnf\n1 -2 0\n3 0\n0\na -1 2 0\na 0\n");
        assert_eq!(Icnf::parse(&text), Ok(icnf));
    }

    #[test]
    fn mistakes_have_lines() {
        assert_eq!(Icnf::parse("p cnf 1 1\n1 0\n"), Err("expected `p inccnf` after the comments".to_owned()));
        assert_eq!(Icnf::parse("c x\np inccnf\n1 2\n"), Err("line 3: expected 0 at the end".to_owned()));
        assert_eq!(Icnf::parse("p inccnf\n1 x 0\n"), Err("line 2: expected a literal".to_owned()));
        assert_eq!(Icnf::parse("p inccnf\n1 0 2 0\n"), Err("line 2: expected nothing after 0".to_owned()));
    }
}
