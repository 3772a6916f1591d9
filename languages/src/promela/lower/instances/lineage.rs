//! What processes create that are created themselves: a family tree, and where in it the pids are.
//!
//! Each process is followed by itself (see [`ways`]). A new process has as its pid how many there are, so that its pid is at most the number of those that can have
//! been created before it: all but those that it or its creator creates later. It is above the pid of its creator, and of what is sure to be there still.
//! Should a process be created where none is expected, the run reaches a limit, as where there is no room: nothing is decided then.

use super::super::program::Program;
use super::known::Known;
use super::placed::{Creature, outlives};
use super::runs::is_mortal;
use super::started::Started;
use super::walk::Created;
use super::ways::{Offspring, offspring};
use crate::promela::ids::ProctypeId;
use crate::promela::room::MOST;
use std::collections::BTreeMap;
use std::rc::Rc;

/// The processes that one creates: first, second and so on, each with what it may be.
type Family = Vec<Vec<Member>>;

/// A process that another one may create, with those that it creates.
struct Member {
    created: Created,
    family: Family,
}

/// A process with what is known of its arguments.
type Kind = (ProctypeId, Vec<Option<i64>>);

/// Everything that can be created, with where it can be; `None` if that has no end.
pub fn creatures(program: &Program<'_>, started: &Started) -> Option<Vec<Creature>> {
    let mut genealogist = Genealogist { program, known: BTreeMap::new(), members: 0 };
    let families: Option<Vec<(u32, Family)>> =
        started.seats().map(|(pid, proctype)| Some((pid, genealogist.family(proctype, &[], 0)?))).collect();
    let families = families?;
    let total: u32 = families.iter().map(|(_, family)| size(family)).sum();
    let living = started.seats().rev().find(|(_, proctype)| !is_mortal(program, *proctype));
    let base = living.map_or(0, |(last, _)| last + 1);
    let mut registrar = Registrar { program, most: started.count() + total, base, creatures: Vec::new() };
    families.iter().for_each(|(pid, family)| registrar.enter(family, *pid));
    Some(registrar.creatures)
}

/// How many processes a family has at most.
fn size(family: &[Vec<Member>]) -> u32 {
    family.iter().map(|one_of| share(one_of)).sum()
}

/// How many of them are one process or descend from it.
fn share(one_of: &[Member]) -> u32 {
    one_of.iter().map(|member| 1 + size(&member.family)).max().unwrap_or(0)
}

/// Finds out who creates whom.
struct Genealogist<'p> {
    program: &'p Program<'p>,
    known: BTreeMap<Kind, Option<Rc<Offspring>>>,
    members: u32,
}

impl Genealogist<'_> {
    /// What a process creates, with everything that descends from it; `None` if there is too much of it. `depth` is how many ancestors it has.
    fn family(&mut self, proctype: ProctypeId, arguments: &[Option<i64>], depth: u32) -> Option<Family> {
        if depth > MOST {
            return None;
        }
        let offspring = self.offspring(proctype, arguments)?;
        let mut family = Family::new();
        for one_of in offspring.iter() {
            let members: Option<Vec<Member>> = one_of.iter().map(|created| self.member(created, depth + 1)).collect();
            family.push(members?);
        }
        Some(family)
    }

    fn member(&mut self, created: &Created, depth: u32) -> Option<Member> {
        self.members += 1;
        if self.members > MOST {
            return None;
        }
        Some(Member { created: created.clone(), family: self.family(created.proctype, &created.arguments, depth)? })
    }

    fn offspring(&mut self, proctype: ProctypeId, arguments: &[Option<i64>]) -> Option<Rc<Offspring>> {
        let Genealogist { program, known, .. } = self;
        let entry = known.entry((proctype, arguments.to_vec()));
        entry.or_insert_with(|| follow(program, proctype, arguments)).clone()
    }
}

/// What a process creates by itself.
fn follow(program: &Program<'_>, proctype: ProctypeId, arguments: &[Option<i64>]) -> Option<Rc<Offspring>> {
    offspring(program, Known::with_arguments(program, proctype, arguments), proctype).map(Rc::new)
}

/// Notes where processes can be.
struct Registrar<'p> {
    program: &'p Program<'p>,
    /// How many processes there are at most.
    most: u32,
    /// The first pid above those that are sure to be taken.
    base: u32,
    creatures: Vec<Creature>,
}

impl Registrar<'_> {
    /// Notes a family whose creator has this pid or a higher one.
    fn enter(&mut self, family: &[Vec<Member>], creator: u32) {
        let mut lows: Vec<Vec<u32>> = Vec::new();
        for (order, one_of) in family.iter().enumerate() {
            let later: u32 = family[order..].iter().map(|one_of| share(one_of)).sum();
            let mut here = Vec::new();
            for Member { created, family: own } in one_of {
                let low = self.base.max(creator + 1).max(self.above(&family[..order], &lows, created));
                let high = self.most - later - self.waiting(&family[..order], created);
                let Created { proctype, by, elements, .. } = created;
                let (by, proctype, elements) = (*by, *proctype, elements.clone());
                self.creatures.push(Creature { by, proctype, pids: low..=high, elements });
                self.enter(own, low);
                here.push(low);
            }
            lows.push(here);
        }
    }

    /// The lowest pid above the siblings that are sure to be there still.
    fn above(&self, earlier: &[Vec<Member>], lows: &[Vec<u32>], created: &Created) -> u32 {
        let mut lowest = 0;
        for (one_of, lows) in earlier.iter().zip(lows) {
            let is_sure = one_of.iter().all(|member| outlives(self.program, &member.created, created));
            if let Some(low) = lows.iter().min().filter(|_| is_sure) {
                lowest = lowest.max(low + 1);
            }
        }
        lowest
    }

    /// How many processes its siblings create later, because the creator has not yet left the atomic section in which it has created them. One of
    /// a higher priority interrupts that.
    fn waiting(&self, earlier: &[Vec<Member>], created: &Created) -> u32 {
        let has_section = created.section.is_some() && self.program.ast.priorities.is_none();
        let is_sibling = |member: &Member| has_section && member.created.section == created.section;
        let siblings = earlier.iter().filter(|one_of| one_of.iter().all(is_sibling));
        siblings.map(|one_of| share(one_of).saturating_sub(1)).sum()
    }
}
