//! Offers: what a process can do at a control point, with `else`, escapes and the first steps of a `d_step`.

use super::super::expressions::{Context, Effects};
use super::super::lowering::Lowering;
use super::action::{Alternative, Half};
use super::meeting::Receiver;
use crate::promela::ast::Kind;
use crate::promela::flow::{Action, Choice, Edge, Entry, Point};
use crate::promela::ids::InstanceId;
use system::ExprId;

/// What is wrong where a `d_step` cannot go on.
const D_STEP_BLOCKS: &str = "a statement inside a d_step blocks";

/// A step of a process at a point, with what has to hold besides its own guard.
#[derive(Clone, Debug)]
pub struct Offer {
    pub edge: Edge,
    pub terms: Terms,
    pub alternatives: Vec<Alternative>,
}

/// On which terms a process can make a step.
#[derive(Clone, Copy, Debug)]
pub struct Terms {
    /// No escape interrupts it, and no earlier step of a `d_step` is chosen instead.
    pub context: ExprId,
    /// The same when the step is to receive what is being sent: nothing interrupts a rendezvous but another receive.
    pub met: ExprId,
    /// Receives of a lower rank come first.
    pub rank: usize,
}

impl Lowering<'_> {
    /// The steps at a point.
    pub fn offers(&mut self, instance: InstanceId, point: &Point, receivers: &[Receiver]) -> Option<Vec<Offer>> {
        let provided = match self.program.ast.proctypes[self.instances.all[instance].proctype].provided {
            Some(condition) if !point.inside_d_step => {
                let condition = self.value(Context::of(instance), condition)?;
                self.truth(condition)
            }
            _ => self.system.exprs.boolean(true),
        };
        let mut offers = Vec::new();
        let mut terms = Terms { context: provided, met: provided, rank: 0 };
        for group in &point.escapes {
            let possible = self.offer_group(instance, group, terms, receivers, &mut offers)?;
            let not_possible = self.system.exprs.not(possible);
            terms.context = self.both(terms.context, not_possible);
            terms.rank += 1;
        }
        let possible = self.offer_group(instance, &point.choices, terms, receivers, &mut offers)?;
        if point.inside_d_step {
            let terms = Terms { context: provided, met: provided, rank: 0 };
            let edges: Vec<Edge> = point.edges().cloned().collect();
            self.offer_blocking(possible, &edges, terms, &mut offers);
            self.fail_to_meet(&mut offers);
        }
        Some(offers)
    }

    /// Adds the steps of some choices and says when one of them is possible.
    fn offer_group(
        &mut self,
        instance: InstanceId,
        choices: &[Choice],
        terms: Terms,
        receivers: &[Receiver],
        offers: &mut Vec<Offer>,
    ) -> Option<ExprId> {
        let mut any = self.system.exprs.boolean(false);
        for choice in choices {
            let possible = match choice {
                Choice::Free(edge) if is_else(edge) => {
                    let otherwise = self.system.exprs.not(any);
                    let alternatives = vec![Alternative::new(otherwise, Effects::default())];
                    offers.push(Offer { edge: edge.clone(), terms, alternatives });
                    self.system.exprs.boolean(true)
                }
                Choice::Free(edge) => {
                    let alternatives = self.alternatives(instance, edge)?;
                    let possible = self.possible(instance, &alternatives, receivers)?;
                    offers.push(Offer { edge: edge.clone(), terms, alternatives });
                    possible
                }
                Choice::First(entry, edges) => {
                    let before = offers.len();
                    let opens = self.opens(instance, entry, any, receivers)?;
                    let begins = Terms { context: self.both(terms.context, opens), ..terms };
                    let possible = self.offer_first(instance, edges, begins, receivers, offers)?;
                    if let Entry::Guards(_) = entry {
                        self.offer_blocking(possible, edges, begins, offers);
                    }
                    self.fail_to_meet(&mut offers[before..]);
                    match entry {
                        Entry::Possible => possible,
                        Entry::Otherwise => self.system.exprs.boolean(true),
                        Entry::Guards(_) => opens,
                    }
                }
            };
            any = self.either(any, possible);
        }
        Some(any)
    }

    /// When a `d_step` can begin, besides that one of its first statements can run. `earlier` is when one of the choices
    /// before it is possible.
    fn opens(
        &mut self,
        instance: InstanceId,
        entry: &Entry,
        earlier: ExprId,
        receivers: &[Receiver],
    ) -> Option<ExprId> {
        let guards = match entry {
            Entry::Otherwise => return Some(self.system.exprs.not(earlier)),
            Entry::Guards(guards) if !guards.is_empty() => guards,
            Entry::Possible | Entry::Guards(_) => return Some(self.system.exprs.boolean(true)),
        };
        let mut opens = self.system.exprs.boolean(false);
        for guard in guards {
            let possible = if is_else(guard) {
                self.system.exprs.boolean(true)
            } else {
                let alternatives = self.alternatives(instance, guard)?;
                self.possible(instance, &alternatives, receivers)?
            };
            opens = self.either(opens, possible);
        }
        Some(opens)
    }

    /// Blocking is an error where a `d_step` has begun.
    fn offer_blocking(&mut self, possible: ExprId, edges: &[Edge], terms: Terms, offers: &mut Vec<Offer>) {
        let Some(first) = edges.first() else { return };
        let blocked = self.system.exprs.not(possible);
        let fails = self.failing(blocked, first.span, D_STEP_BLOCKS);
        let edge = Edge { action: Action::Skip, ..first.clone() };
        offers.push(Offer { edge, terms, alternatives: vec![fails] });
    }

    /// Steps of which the first possible one is made.
    fn offer_first(
        &mut self,
        instance: InstanceId,
        edges: &[Edge],
        terms: Terms,
        receivers: &[Receiver],
        offers: &mut Vec<Offer>,
    ) -> Option<ExprId> {
        let mut earlier = self.system.exprs.boolean(false);
        for edge in edges {
            let none_before = self.system.exprs.not(earlier);
            let context = self.both(terms.context, none_before);
            let met = self.both(terms.met, none_before);
            let terms = Terms { context, met, ..terms };
            if is_else(edge) {
                let always = self.system.exprs.boolean(true);
                let alternatives = vec![Alternative::new(always, Effects::default())];
                offers.push(Offer { edge: edge.clone(), terms, alternatives });
                return Some(always);
            }
            let alternatives = self.alternatives(instance, edge)?;
            let possible = self.possible(instance, &alternatives, receivers)?;
            offers.push(Offer { edge: edge.clone(), terms, alternatives });
            earlier = self.either(earlier, possible);
        }
        Some(earlier)
    }

    /// A `d_step` can take what is sent by rendezvous, but a send inside it is an error: its step ends there.
    fn fail_to_meet(&mut self, offers: &mut [Offer]) {
        for offer in offers {
            for alternative in &mut offer.alternatives {
                if let Some(Half::Send { .. }) = alternative.half {
                    *alternative = self.failing(alternative.guard, offer.edge.span, "a d_step sends by rendezvous");
                }
            }
        }
    }
}

fn is_else(edge: &Edge) -> bool {
    matches!(edge.action, Action::Statement(Kind::Else))
}
