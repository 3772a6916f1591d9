//! What connects the programs of a system: pipes and pairs of sockets, as a file in TOML describes them.

use super::system::Mistake;
use scheduler::{Link, MOST_DESCRIPTORS, Port, Way};
use serde::Deserialize;
use std::collections::BTreeMap;

/// A pipe.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pipe {
    /// The descriptors that write, as `NAME:DESCRIPTOR`.
    from: Ends,
    /// Those that read.
    to: Ends,
}

/// A pair of connected stream sockets.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sockets {
    /// The descriptors on both sides.
    ends: Vec<Ends>,
}

/// One descriptor, or several that are the same end.
#[derive(Deserialize)]
#[serde(untagged, expecting = "expected \"NAME:DESCRIPTOR\", or a list of such texts")]
enum Ends {
    One(String),
    Several(Vec<String>),
}

impl Ends {
    fn texts(&self) -> &[String] {
        match self {
            Ends::One(text) => std::slice::from_ref(text),
            Ends::Several(texts) => texts,
        }
    }

    /// How the end is called in traces.
    fn name(&self) -> String {
        self.texts().join(",")
    }
}

/// Connects programs of these names.
pub struct Connector<'a> {
    names: &'a [String],
    /// What each descriptor is used for already.
    used: BTreeMap<Port, String>,
}

impl<'a> Connector<'a> {
    /// Nothing is connected yet.
    pub fn new(names: &'a [String]) -> Connector<'a> {
        Connector { names, used: BTreeMap::new() }
    }

    /// A pipe between programs.
    pub fn pipe(&mut self, pipe: &Pipe) -> Result<Link, Mistake> {
        let what = format!("the pipe from {} to {}", pipe.from.name(), pipe.to.name());
        for (end, key) in [(&pipe.from, "from"), (&pipe.to, "to")] {
            if end.texts().is_empty() {
                return Err(Mistake::new(format!(
                    "a pipe has an end without a partner: write `{key} = \"NAME:DESCRIPTOR\"`, with the name of a process"
                )));
            }
        }
        self.link(Way::There, &pipe.from, &pipe.to, &what)
    }

    /// A pair of sockets between programs.
    pub fn sockets(&mut self, sockets: &Sockets) -> Result<Link, Mistake> {
        match &sockets.ends[..] {
            [one, other] if !one.texts().is_empty() && !other.texts().is_empty() => {
                self.link(Way::Both, one, other, &format!("the sockets {} and {}", one.name(), other.name()))
            }
            ends if ends.iter().any(|end| end.texts().is_empty()) => Err(Mistake::new(
                "sockets have an end without a partner, `[]`: write NAME:DESCRIPTOR there, with the name of a process"
                    .to_owned(),
            )),
            others => Err(Mistake::new(format!(
                "sockets have two ends, and here are {}: write `ends = [\"NAME:DESCRIPTOR\", \"NAME:DESCRIPTOR\"]`; descriptors that \
                 are the same end are a list in that list",
                others.len()
            ))),
        }
    }

    fn link(&mut self, way: Way, one: &Ends, other: &Ends, what: &str) -> Result<Link, Mistake> {
        let sides = [self.side(one, what)?, self.side(other, what)?];
        let names = [format!("{} to {}", one.name(), other.name()), format!("{} to {}", other.name(), one.name())];
        Ok(Link { way, sides, names })
    }

    fn side(&mut self, ends: &Ends, what: &str) -> Result<Vec<Port>, Mistake> {
        ends.texts().iter().map(|text| self.port(text, what)).collect()
    }

    fn port(&mut self, text: &str, what: &str) -> Result<Port, Mistake> {
        let Some((name, number)) = text.rsplit_once(':') else {
            return Err(Mistake::new(format!(
                "`{text}` in {what}: write NAME:DESCRIPTOR, for example {text}:0 for standard input, or {text}:1 for standard output"
            )));
        };
        let Some(member) = self.names.iter().position(|known| known == name) else {
            return Err(Mistake::new(format!(
                "`{text}` in {what}: there is no process {name}, but {}",
                self.names.join(", ")
            )));
        };
        let Some(descriptor) = number.parse().ok().filter(|number| *number < MOST_DESCRIPTORS) else {
            return Err(Mistake::new(format!(
                "`{text}` in {what}: `{number}` is no descriptor; write a number from 0 to {}",
                MOST_DESCRIPTORS - 1
            )));
        };
        let port = Port { member, descriptor };
        if let Some(other) = self.used.insert(port, what.to_owned()) {
            if other == what {
                return Err(Mistake::new(format!("{name}:{descriptor} stands twice in {what}: leave one of them out")));
            }
            return Err(Mistake::new(format!(
                "{name}:{descriptor} is used twice, by {other} and by {what}: choose another descriptor for one of them"
            )));
        }
        Ok(port)
    }
}
