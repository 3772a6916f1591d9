//! Which option of `uwbmc check` has an effect with which way to search. One that has none is an error: a user who gives
//! it expects something of it.

use super::{CheckArgs, Engine, Ingredient, Widening};
use crate::Error;
use clap::ArgMatches;
use clap::parser::ValueSource;

/// A way to search, as far as options go.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    /// `auto` with a bound.
    Race,
    /// `auto` without one: states, diagrams, walks and formulas in turns.
    Turns,
    /// `uw` as it is by default.
    Team,
    /// The paper's procedure.
    Paper,
    /// `uw` at one bound only.
    Exact,
    /// `bmc`, to a bound or at one bound only.
    Plain,
    /// `explicit`, breadth-first.
    BreadthFirst,
    /// `explicit`, depth-first.
    DepthFirst,
    /// `stateless`.
    Stateless,
    /// `symbolic`.
    Symbolic,
}

use Way::{BreadthFirst, DepthFirst, Exact, Paper, Plain, Race, Stateless, Symbolic, Team, Turns};

/// Those that unroll.
const UNROLLING: &[Way] = &[Race, Team, Paper, Exact, Plain];

/// The options that not all ways to search have, by the names of their arguments, with those that do.
const TABLE: &[(&str, &[Way])] = &[
    ("solver", &[Race, Turns, Team, Paper, Exact, Plain]),
    ("solver_cmd", &[Race, Turns, Team, Paper, Exact, Plain]),
    ("seed", &[Race, Turns, Team, Paper, Exact, Plain, DepthFirst]),
    ("widening", &[Team, Paper, Exact]),
    ("without", &[Team, Paper, Exact, Plain]),
    ("with", &[Team, Exact]),
    ("jobs", &[Race, Turns, Team, BreadthFirst]),
    ("exact", &[Paper, Exact, Plain]),
    ("por", &[Plain]),
    ("fresh", &[Team, Paper, Plain]),
    ("search", &[Turns, BreadthFirst, DepthFirst]),
    ("reduction", &[Turns, BreadthFirst, DepthFirst, Stateless]),
    ("store", &[DepthFirst]),
    ("forget", &[DepthFirst]),
    ("depth", &[Stateless]),
    ("livelock", &[Stateless]),
    ("divergence", &[Stateless]),
    ("proof", &[Race, Turns, Team, Paper, Plain, BreadthFirst, DepthFirst, Symbolic]),
    ("certify", &[Race, Turns, Team, Paper, Plain, BreadthFirst, DepthFirst, Symbolic]),
    ("verbose", UNROLLING),
];

/// The parts that plain bounded model checking and the paper's procedure can be without.
const COMMON_PARTS: &[Ingredient] = &[Ingredient::Cone, Ingredient::Distances];

/// The parts that a procedure at a single bound does not have.
const PARTS_OF_MANY_BOUNDS: &[Ingredient] = &[
    Ingredient::Passes,
    Ingredient::Orders,
    Ingredient::Pruned,
    Ingredient::Race,
    Ingredient::Scheduling,
    Ingredient::Idling,
    Ingredient::Stride,
    Ingredient::Carry,
    Ingredient::Incremental,
];

impl Way {
    fn of(args: &CheckArgs) -> Way {
        match args.engine() {
            Engine::Bmc => Plain,
            Engine::Uw if args.widening == Widening::Paper => Paper,
            Engine::Uw if args.exact => Exact,
            Engine::Uw => Team,
            Engine::Auto if args.bound.is_some() => Race,
            Engine::Auto | Engine::Explicit if args.explicit.is_depth_first() => DepthFirst,
            Engine::Auto if args.explicit.visiting().is_plain() => Turns,
            Engine::Auto | Engine::Explicit => BreadthFirst,
            Engine::Stateless => Stateless,
            Engine::Symbolic => Symbolic,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Race => "--engine auto",
            Team => "--engine uw",
            Paper => "--widening paper",
            Exact => "--engine uw --exact",
            Plain => "--engine bmc",
            Turns => "--engine auto (the default) without --k",
            BreadthFirst => "--engine explicit (breadth-first)",
            DepthFirst => "--engine explicit --search dfs",
            Stateless => "--engine stateless",
            Symbolic => "--engine symbolic",
        }
    }

    /// Whether a part can be left out.
    fn has(self, part: Ingredient) -> bool {
        match self {
            Paper => COMMON_PARTS.contains(&part),
            Plain => part == Ingredient::Alike || COMMON_PARTS.contains(&part),
            Exact => !PARTS_OF_MANY_BOUNDS.contains(&part),
            _ => true,
        }
    }
}

/// Refuses options that have no effect.
pub fn refuse_idle(args: &CheckArgs, matches: &ArgMatches) -> Result<(), Error> {
    let way = Way::of(args);
    let is_given = |name: &str| matches.value_source(name) == Some(ValueSource::CommandLine);
    let idle = |option: &str| Error::Usage(format!("{option} has no effect with {}", way.name()));
    if let Some((name, _)) = TABLE.iter().find(|(name, ways)| is_given(name) && !ways.contains(&way)) {
        return Err(idle(&format!("--{}", name.replace('_', "-"))));
    }
    if let Some(part) = args.without.iter().find(|part| !way.has(**part)) {
        return Err(idle(&format!("--without {}", name_of(*part))));
    }
    if is_given("depth") && args.bound.is_some() {
        return Err(Error::Usage("--depth has no effect beside --k, which limits the steps of a run, too".to_owned()));
    }
    Ok(())
}

fn name_of(part: Ingredient) -> String {
    clap::ValueEnum::to_possible_value(&part).map_or(String::new(), |value| value.get_name().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_table_names_options_that_there_are() {
        let command = super::super::Cli::command();
        let check = command.find_subcommand("check").expect("there is check");
        for (name, ways) in TABLE {
            assert!(check.get_arguments().any(|argument| argument.get_id() == name), "{name}");
            assert!(!ways.is_empty(), "{name}");
        }
    }
}
