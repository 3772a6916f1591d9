//! Programs that pipes connect: those of a system, and those that others execute.

use crate::kit::{self, Compiled, Memory};
use crate::{compiled, in_a_word};
use scheduler::{Exploration, Link, Port, Reduction, Way};

const REDUCTIONS: [Reduction; 3] = [Reduction::Sleep, Reduction::Source, Reduction::Optimal];

/// The arguments of programs, what connects them, and the number of interleavings.
type Row<'a> = (&'a [&'a [&'a str]], &'a [Link], u64);

/// A pipe from standard output of some programs to standard input of others.
fn pipe(from: &[usize], to: &[usize]) -> Link {
    let ports =
        |members: &[usize], descriptor| members.iter().map(|member| Port { member: *member, descriptor }).collect();
    Link { way: Way::There, sides: [ports(from, 1), ports(to, 0)], names: ["a pipe".to_owned(), String::new()] }
}

fn explored(program: &Compiled, arguments: &[&[&str]], links: &[Link], reduction: Reduction) -> Exploration {
    kit::explored_by(kit::connected(program, arguments, links), reduction)
}

/// What is counted by hand: messages of one writer come in one order, those of several in all orders. Starting the programs, and
/// closing what each of them does not have, adds nothing; nor does which writer closes last.
#[test]
fn connected_programs_have_the_interleavings_that_one_counts() {
    let Some(program) = compiled("connected", &[], Memory::Hidden) else { return };
    let rows: &[Row] = &[
        (&[&["write", "1"], &["read", "1"]], &[pipe(&[0], &[1])], 1),
        (&[&["read", "1"], &["write", "1"]], &[pipe(&[1], &[0])], 1),
        (&[&["write", "3"], &["read", "3"]], &[pipe(&[0], &[1])], 1),
        (&[&["write", "1"], &["write", "1"], &["read", "2"]], &[pipe(&[0, 1], &[2])], 2),
        (&[&["write", "2"], &["write", "2"], &["read", "4"]], &[pipe(&[0, 1], &[2])], 6),
        (&[&["write", "0"], &["write", "0"], &["read", "0"]], &[pipe(&[0, 1], &[2])], 1),
        (&[&["write", "1"], &["read", "1"], &["write", "1"], &["read", "1"]], &[pipe(&[0], &[1]), pipe(&[2], &[3])], 1),
    ];
    for (arguments, links, traces) in rows {
        for reduction in REDUCTIONS {
            let found = explored(&program, arguments, links, reduction);
            assert_eq!(
                (found.search.complete, found.failures),
                (*traces, 0),
                "{arguments:?} {reduction:?} {:?}",
                found.found
            );
        }
    }
}

/// A reader finds the end when no one can write any more, and not before: the first of these programs holds an end that it never uses.
#[test]
fn the_end_of_a_pipe_comes_with_its_last_writer() {
    let Some(program) = compiled("connected", &[], Memory::Hidden) else { return };
    let own_end =
        Link { sides: [pipe(&[0, 1], &[]).sides[0].clone(), pipe(&[], &[0]).sides[1].clone()], ..pipe(&[], &[]) };
    for reduction in REDUCTIONS {
        let found = explored(&program, &[&["read", "1"], &["write", "1"]], std::slice::from_ref(&own_end), reduction);
        assert_eq!((in_a_word(&found), found.search.complete), ("deadlock", 1), "{reduction:?}");
    }
}

/// Any argument can be empty.
#[test]
fn arguments_may_be_empty() {
    let Some(program) = compiled("connected", &[], Memory::Hidden) else { return };
    let found = kit::together(&program, &[&["arguments", "", "b", ""], &["write", "0"]]);
    assert_eq!(in_a_word(&found), "nothing", "{:?}", found.found);
}

/// What is closed when a program is executed counts as closed, and what stays open does not.
#[test]
fn ends_are_carried_to_the_program_that_is_executed() {
    for (flags, found, traces) in [(&[][..], "nothing", 1), (&["-DOPTIONS=0"], "deadlock", 1)] {
        let Some(program) = compiled("carried", flags, Memory::Hidden) else { return };
        for reduction in REDUCTIONS {
            let explored = kit::explored(&program, &[], reduction);
            assert_eq!((in_a_word(&explored), explored.search.complete), (found, traces), "{flags:?} {reduction:?}");
        }
    }
}

/// Which descriptor is closed last decides whether others find the pipe broken or over, and nothing that can come of that is left out:
/// without reduction all orders are tried.
#[test]
fn in_whatever_order_ends_are_closed_nothing_is_left_out() {
    for flags in [&[][..], &["-DPOLLS"]] {
        let Some(program) = compiled("closers", flags, Memory::Hidden) else { return };
        let all = kit::explored(&program, &[], Reduction::None);
        assert!(all.codes.len() >= 3, "{:?}", all.codes);
        let traces = REDUCTIONS.map(|reduction| kit::explored(&program, &[], reduction)).map(|found| {
            assert_eq!(found.codes, all.codes, "{flags:?}");
            found.search.complete
        });
        assert!(traces[0] == traces[1] && traces[1] == traces[2] && traces[0] < all.search.complete, "{traces:?}");
    }
}
