//! Systems of several programs, which are started together and connected, as they are told to the library that starts them.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;

/// The programs of a system.
#[derive(Clone, Debug, Default)]
pub struct Members {
    /// Each is a child of the first lane.
    pub programs: Vec<Member>,
    /// What connects them.
    pub links: Vec<Link>,
}

/// A program of a system.
#[derive(Clone, Debug)]
pub struct Member {
    /// The program and its arguments.
    pub words: Vec<OsString>,
    /// Where it is executed.
    pub folder: PathBuf,
    /// What its environment has besides ours, as `NAME=VALUE`.
    pub settings: Vec<OsString>,
}

/// How bytes go through a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// From the first side to the second: a pipe.
    There,
    /// In both directions: a pair of connected sockets.
    Both,
}

/// A pipe or a pair of sockets.
#[derive(Clone, Debug)]
pub struct Link {
    /// How bytes go through it.
    pub way: Way,
    /// Which descriptors its two sides are.
    pub sides: [Vec<Port>; 2],
    /// What the queues of bytes are called, from the first side and to it.
    pub names: [String; 2],
}

/// A descriptor of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Port {
    /// Which of the programs.
    pub member: usize,
    /// The number of the descriptor.
    pub descriptor: u16,
}

/// As many descriptors of a program can be connected.
pub const MOST_DESCRIPTORS: u16 = 256;

impl Members {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.programs.is_empty()
    }

    /// As the library in the program reads them: texts that end with a zero. Lists begin with how many there are, as any text can be
    /// empty.
    pub(crate) fn written(&self) -> Vec<u8> {
        let mut file = Texts::default();
        file.number(self.links.len());
        for link in &self.links {
            file.number(match link.way {
                Way::There => 1,
                Way::Both => 2,
            });
            link.sides.iter().for_each(|side| file.number(side.len()));
            link.names.iter().for_each(|name| file.text(OsStr::new(name)));
        }
        file.number(self.programs.len());
        for (number, member) in self.programs.iter().enumerate() {
            file.text(member.folder.as_os_str());
            file.list(&member.words);
            file.list(&member.settings);
            let ports = self.ports(number);
            file.number(ports.len());
            ports.into_iter().flatten().for_each(|part| file.number(part));
        }
        file.0
    }

    /// What a program has of links: which of them, which side, as which descriptor.
    fn ports(&self, member: usize) -> Vec<[usize; 3]> {
        let mut ports = Vec::new();
        for (link, sides) in self.links.iter().map(|link| &link.sides).enumerate() {
            for (side, all) in sides.iter().enumerate() {
                let own = all.iter().filter(|port| port.member == member);
                ports.extend(own.map(|port| [link, side, port.descriptor.into()]));
            }
        }
        ports
    }
}

/// Texts that end with a zero.
#[derive(Default)]
struct Texts(Vec<u8>);

impl Texts {
    fn text(&mut self, text: &OsStr) {
        self.0.extend_from_slice(text.as_bytes());
        self.0.push(0);
    }

    fn number(&mut self, number: usize) {
        self.text(OsStr::new(&number.to_string()));
    }

    fn list(&mut self, texts: &[OsString]) {
        self.number(texts.len());
        texts.iter().for_each(|text| self.text(text));
    }
}
