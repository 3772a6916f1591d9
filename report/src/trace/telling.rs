//! A run that is gone through state by state, whether it is in words already or is put into words on the way.

use super::account::Account;
use super::document::{Document, Step, With};
use super::values::Values;
use serde::{Serialize, Serializer};
use std::rc::Rc;

/// A run that can be gone through, as often as a format has to.
#[derive(Clone, Copy)]
pub enum Telling<'a> {
    /// In words already.
    Document(&'a Document),
    /// Of a model.
    Account(Account<'a>),
}

/// A state of a run, with the state and the step before it and the step after it.
pub struct Place {
    /// Its number.
    pub index: usize,
    /// Its values.
    pub state: Values,
    /// The state before it.
    pub before: Option<Values>,
    /// The step that led to it.
    pub by: Option<Rc<Step>>,
    /// The step that is made from it.
    pub next: Option<Rc<Step>>,
}

impl<'a> Telling<'a> {
    /// What is known of the run as a whole: a document whose states and steps do not count.
    pub fn about(self) -> &'a Document {
        match self {
            Telling::Document(document) => document,
            Telling::Account(account) => account.about(),
        }
    }

    /// How many states it has.
    pub fn length(self) -> usize {
        match self {
            Telling::Document(document) => document.states.len(),
            Telling::Account(account) => account.trace.states.len(),
        }
    }

    /// Its states.
    pub fn states(self) -> Box<dyn Iterator<Item = Values> + 'a> {
        match self {
            Telling::Document(document) => Box::new(document.states.iter().cloned()),
            Telling::Account(account) => Box::new(account.states()),
        }
    }

    /// The steps between them.
    pub fn steps(self) -> Box<dyn Iterator<Item = Step> + 'a> {
        match self {
            Telling::Document(document) => Box::new(document.steps.iter().cloned()),
            Telling::Account(account) => Box::new(account.steps()),
        }
    }

    /// Its states with the steps around them.
    pub fn places(self) -> impl Iterator<Item = Place> + 'a {
        let (mut steps, mut last, mut by) = (self.steps(), None, None);
        self.states().enumerate().map(move |(index, state)| {
            let next = steps.next().map(Rc::new);
            let (before, by) = (last.replace(state.clone()), std::mem::replace(&mut by, next.clone()));
            Place { index, state, before, by, next }
        })
    }

    /// Where the loop starts, if its last state is the same as the first, and does not differ in what decides nothing.
    pub fn exact_loop_start(self) -> Option<usize> {
        match self {
            Telling::Document(document) => document.exact_loop_start(),
            Telling::Account(account) => account.exact_loop_start(),
        }
    }
}

impl Serialize for Telling<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (states, steps) = (Each(|| self.states()), Each(|| self.steps()));
        With { document: self.about(), states, steps }.serialize(serializer)
    }
}

/// A list that is made while it is written.
pub struct Each<F>(pub F);

impl<T: Serialize, I: Iterator<Item = T>, F: Fn() -> I> Serialize for Each<F> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0())
    }
}
