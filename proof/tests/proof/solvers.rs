//! Proofs of a real solver; see data/README.md.

use proof::{Cnf, check_drat, check_lrat};

use crate::dpll;

struct Case {
    cnf: &'static [u8],
    drat_text: &'static [u8],
    drat_binary: &'static [u8],
    lrat_text: &'static [u8],
    lrat_binary: &'static [u8],
}

macro_rules! case {
    ($name:literal) => {
        Case {
            cnf: include_bytes!(concat!("../data/", $name, ".cnf")),
            drat_text: include_bytes!(concat!("../data/", $name, ".text.drat")),
            drat_binary: include_bytes!(concat!("../data/", $name, ".binary.drat")),
            lrat_text: include_bytes!(concat!("../data/", $name, ".text.lrat")),
            lrat_binary: include_bytes!(concat!("../data/", $name, ".binary.lrat")),
        }
    };
}

const RANDOM: Case = case!("random");
const PIGEONHOLE: Case = case!("pigeonhole");

impl Case {
    /// The sizes of the cores by DRAT and by LRAT.
    fn cores(&self) -> (usize, usize) {
        let cnf = Cnf::parse(self.cnf).expect("the formula");
        let drat = check_drat(&cnf, self.drat_text).expect("DRAT, text");
        let lrat = check_lrat(&cnf, self.lrat_text).expect("LRAT, text");
        let sizes = (drat.core.len(), lrat.core.len());
        assert_eq!(check_drat(&cnf, self.drat_binary), Ok(drat));
        assert_eq!(check_lrat(&cnf, self.lrat_binary), Ok(lrat));
        sizes
    }
}

#[test]
fn random_three_sat() {
    assert_eq!(RANDOM.cores(), (284, 324));
}

#[test]
fn pigeonhole() {
    assert_eq!(PIGEONHOLE.cores(), (81, 81));
}

#[test]
fn the_cores_are_unsatisfiable() {
    let cnf = Cnf::parse(RANDOM.cnf).expect("the formula");
    let drat = check_drat(&cnf, RANDOM.drat_text).expect("DRAT");
    let lrat = check_lrat(&cnf, RANDOM.lrat_text).expect("LRAT");
    assert!(dpll::refute(&cnf.restricted_to(&drat.core)).is_some());
    assert!(dpll::refute(&cnf.restricted_to(&lrat.core)).is_some());
}
