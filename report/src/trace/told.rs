//! A run that is shown: a document, or a run of a model that becomes one piece by piece.

use super::account::{Account, Facts};
use super::document::{Core, Document};
use super::telling::Telling;
use super::text::pieces;
use check::Model;
use serde::{Serialize, Serializer};
use std::fmt;
use std::sync::Arc;
use system::{PropertyId, Trace};

/// A run of a model that is put into words when it is written.
pub struct Run {
    model: Arc<Model>,
    trace: Arc<Trace>,
    facts: Facts,
}

impl Run {
    /// A run of a model, and the property that it violates.
    pub fn new(model: &Arc<Model>, trace: &Arc<Trace>, property: Option<PropertyId>) -> Run {
        let facts = Facts::of(&model.machine, &model.source, trace, property);
        Run { model: Arc::clone(model), trace: Arc::clone(trace), facts }
    }

    fn account(&self) -> Account<'_> {
        let (machine, source) = (&self.model.machine, &self.model.source);
        Account { machine, source, trace: &self.trace, facts: &self.facts }
    }
}

impl fmt::Debug for Run {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Run").field("trace", &self.trace).finish_non_exhaustive()
    }
}

/// A run that is shown.
#[derive(Debug)]
pub enum Told {
    /// In words already.
    Document(Box<Document>),
    /// Of a model.
    Run(Box<Run>),
}

impl From<Document> for Told {
    fn from(document: Document) -> Told {
        Told::Document(Box::new(document))
    }
}

impl From<Run> for Told {
    fn from(run: Run) -> Told {
        Told::Run(Box::new(run))
    }
}

impl Told {
    /// The run, to be gone through.
    pub fn telling(&self) -> Telling<'_> {
        match self {
            Told::Document(document) => Telling::Document(document),
            Told::Run(run) => Telling::Account(run.account()),
        }
    }

    /// How many steps it has.
    pub fn steps(&self) -> usize {
        match self {
            Told::Document(document) => document.steps.len(),
            Told::Run(run) => run.trace.moves.len(),
        }
    }

    /// What the violation depends on.
    pub fn core(&self) -> Option<&Core> {
        self.telling().about().core.as_ref()
    }

    /// The text that people read, piece by piece.
    pub fn pieces(&self) -> impl Iterator<Item = String> {
        pieces(self.telling())
    }
}

impl Serialize for Told {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.telling().serialize(serializer)
    }
}
