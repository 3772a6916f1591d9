//! Interleavings are left out under fairness: fewer states, the same verdicts, and every counterexample is a fair run of the program.

use super::forgetting::{Fair, formula, search, seeds};
use system::Fairness;
use testkit::locals::local_program;
use testkit::promela::{ring_program, temporal_program};
use uwbmc::explicit::Interleavings;
use uwbmc::{Language, Model};

/// The states that are visited with all interleavings and with fewest, if a formula of a program can be decided both ways.
fn compared(text: &str, fairness: Fair) -> Option<(usize, usize)> {
    let mut model = Model::parse(text, Language::Promela).ok()?;
    model.assume_fairness(fairness);
    let property = formula(&model);
    let by = |interleavings| search((&model, property), &model.machine, interleavings, Clone::clone);
    let ((expected, all), (found, fewest)) = (by(Interleavings::All)?, by(Interleavings::Fewest)?);
    assert_eq!(found, expected, "{:?}\n{text}", model.machine.system().fairness.first());
    Some((all, fewest))
}

#[test]
fn what_is_left_out_under_fairness_changes_no_verdict() {
    let fairness: [Fair; 2] = [Fairness::Weak, Fairness::Strong];
    let (mut decided, mut smaller) = (0, 0);
    for program in [local_program, ring_program, temporal_program] {
        for seed in 0..seeds() {
            if let Some((all, fewest)) = compared(&program(seed), fairness[seed as usize % 2]) {
                decided += 1;
                smaller += u64::from(fewest < all);
            }
        }
    }
    println!("{decided} formulas compared, {smaller} with fewer states");
    assert!(decided > seeds() && 20 * smaller > decided, "{decided} {smaller}");
}

/// R can move as long as one of two flags is up. It is violated that R moves at last: both are down for a moment in each round, if Y takes one down
/// before X puts the other one up. In the other order, R could always move; the two steps are independent.
#[test]
fn the_order_in_which_others_let_a_process_move_matters() {
    let text = "bit x, y = 1, go, done;
        active proctype R() { if :: y -> done = 1 :: x -> done = 1 fi }
        active proctype X() { do :: x = 1; atomic { go -> x = 0; go = 0 } od }
        active proctype Y() { do :: y = 0; atomic { x -> y = 1; go = 1 }; !go od }
        ltl f { <> done }";
    assert_eq!(compared(text, Fairness::Weak), Some((0, 0)), "of a violation, no states are counted");
}

/// What processes do by themselves between their turns is not interleaved.
#[test]
fn local_steps_are_left_out_under_fairness() {
    let step = "i = 1; i = 2; i = 3; i = 4; i = 0";
    let text = format!(
        "byte turn; active [3] proctype P() {{ byte i; do :: turn == _pid -> {step}; turn = (turn + 1) % 3; {step} od }}
        ltl f {{ [] <> (turn == 1) }}"
    );
    let (all, fewest) = compared(&text, Fairness::Weak).expect("decided");
    assert!(2 * fewest < all, "{fewest} {all}");
}
