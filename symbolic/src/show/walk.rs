//! Ways through sets of states.

use super::{Labels, Limb, NO_RUN};
use crate::Trouble;
use crate::model::Model;
use diagrams::Diagram;
use system::Window;

/// How far to go.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Walk {
    Shortest,
    OneStep,
}

impl Labels {
    /// Goes to one of some states.
    pub(super) fn go(
        &self,
        model: &mut Model<'_>,
        limb: &mut Limb,
        within: &Diagram,
        to: &Diagram,
        walk: Walk,
    ) -> Result<(), Trouble> {
        let last = limb.last();
        let way = match walk {
            Walk::Shortest => model.path(&last, within, to)?,
            Walk::OneStep => model.steps_to(&last, to, to)?,
        };
        limb.shown.path.extend(way.ok_or(NO_RUN)?.into_iter().skip(1));
        Ok(())
    }

    /// Goes round for ever inside a set.
    pub(super) fn go_round(&self, model: &mut Model<'_>, limb: &mut Limb, inside: &Diagram) -> Result<(), Trouble> {
        let stays = self.fair.globally(model, inside)?;
        let lasso = self.fair.lasso(model, &stays, &limb.last())?;
        let before = limb.at();
        let shown = &mut limb.shown;
        shown.needs.extend(lasso.needs.into_iter().map(|(at, need)| (at + before, need)));
        shown.path.extend(lasso.path.into_iter().skip(1));
        shown.loop_start = lasso.loop_start.map(|start| start + before);
        Ok(())
    }

    /// Goes to a state of `to` within the window, all earlier ones in `p`.
    pub(super) fn go_within(
        &self,
        model: &mut Model<'_>,
        limb: &mut Limb,
        window: Window,
        p: &Diagram,
        to: &Diagram,
    ) -> Result<(), Trouble> {
        let to = model.manager.and(to, &self.fair.fair)?;
        // The states from which the rest can still be done, by the steps that are left.
        let mut goals = vec![to.clone()];
        for left in 1..=window.to {
            let before = self.next(model, &goals[goals.len() - 1])?;
            let mut goal = model.manager.and(&before, p)?;
            if left <= window.to - window.from {
                goal = model.manager.or(&goal, &to)?;
            }
            goals.push(goal);
        }
        for (taken, goal) in goals.iter().rev().skip(1).enumerate() {
            if taken as u32 >= window.from && !model.manager.and(&limb.last(), &to)?.is_false() {
                break;
            }
            self.go(model, limb, goal, goal, Walk::OneStep)?;
        }
        Ok(())
    }

    /// Goes on to the end of the window, inside a set from its beginning on.
    pub(super) fn stay(
        &self,
        model: &mut Model<'_>,
        limb: &mut Limb,
        window: Window,
        inside: &Diagram,
    ) -> Result<(), Trouble> {
        let mut goals = vec![model.manager.and(inside, &self.fair.fair)?];
        for left in 1..=window.to {
            let before = self.next(model, &goals[goals.len() - 1])?;
            let is_inside = window.to - left >= window.from;
            goals.push(if is_inside { model.manager.and(&before, inside)? } else { before });
        }
        for goal in goals.iter().rev().skip(1) {
            let fair = model.manager.and(goal, &self.fair.fair)?;
            self.go(model, limb, &fair, &fair, Walk::OneStep)?;
        }
        Ok(())
    }

    /// Goes on until `q` can come no more within the window: it is over, or `p` has ended before.
    pub(super) fn escape(
        &self,
        model: &mut Model<'_>,
        limb: &mut Limb,
        window: Window,
        p: &Diagram,
        q: &Diagram,
    ) -> Result<(), Trouble> {
        // The states where it is still to be done, by the steps that are left, and cannot be avoided.
        let mut kept = vec![q.clone()];
        for left in 1..=window.to {
            let before = self.all_next(model, &kept[kept.len() - 1])?;
            let mut still = model.manager.and(&before, p)?;
            if left <= window.to - window.from {
                still = model.manager.or(&still, q)?;
            }
            kept.push(still);
        }
        for still in kept.iter().rev().skip(1) {
            if model.manager.and(&limb.last(), p)?.is_false() {
                break;
            }
            let goal = model.manager.without(&self.fair.fair, still)?;
            self.go(model, limb, &goal, &goal, Walk::OneStep)?;
        }
        Ok(())
    }
}
