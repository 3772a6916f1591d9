//! A run that is shown: a document, or a run of a model that becomes one piece by piece.

use super::account::{Account, Facts};
use super::document::{Core, Document, With};
use super::text::{pieces, told};
use check::Model;
use serde::{Serialize, Serializer};
use std::borrow::Cow;
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
    /// The whole of it in words.
    pub fn document(&self) -> Cow<'_, Document> {
        match self {
            Told::Document(document) => Cow::Borrowed(document),
            Told::Run(run) => Cow::Owned(run.account().document()),
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
        match self {
            Told::Document(document) => document.core.as_ref(),
            Told::Run(run) => run.account().about().core.as_ref(),
        }
    }

    /// The text that people read, piece by piece.
    pub fn pieces(&self) -> Box<dyn Iterator<Item = String> + '_> {
        match self {
            Told::Document(document) => Box::new(pieces(document)),
            Told::Run(run) => {
                let account = run.account();
                Box::new(told(account.about(), account.states(), account.steps()))
            }
        }
    }
}

impl Serialize for Told {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Told::Document(document) => document.serialize(serializer),
            Told::Run(run) => {
                let account = run.account();
                let (states, steps) = (Each(|| account.states()), Each(|| account.steps()));
                With { document: account.about(), states, steps }.serialize(serializer)
            }
        }
    }
}

/// A list that is made while it is written.
struct Each<F>(F);

impl<T: Serialize, I: Iterator<Item = T>, F: Fn() -> I> Serialize for Each<F> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0())
    }
}
