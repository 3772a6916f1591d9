//! Assignments that depend on each other: circles are errors, and definitions are put in order.

use super::{Lowering, codes};
use rustc_hash::FxHashMap;
use system::{Choice, Definition, Exprs, Footprint, Place, Span, Update, VarId};

/// A graph of variables: each with the variables that its value needs.
type Needs = FxHashMap<VarId, (Span, Vec<VarId>)>;

impl Lowering<'_> {
    /// Sorts `x := e` so that each comes after those it reads, and reports circles among them and `init(x)`.
    pub fn order_definitions(&mut self) {
        let mut needs: Needs = FxHashMap::default();
        for definition in &self.system.definitions {
            let reads = reads(&self.system.exprs, definition.choice).now;
            needs.insert(definition.variable, (definition.span, reads));
        }
        let order = match sort(&needs, self.system.definitions.iter().map(|definition| definition.variable)) {
            Ok(order) => order,
            Err(span) => return self.circle(span),
        };
        for update in &self.system.initial_values {
            if let Place::Variable(var) = update.place {
                needs.insert(var, (update.span, reads(&self.system.exprs, update.choice).now));
            }
        }
        let mut all: Vec<VarId> = needs.keys().copied().collect();
        all.sort_unstable();
        if let Err(span) = sort(&needs, all.into_iter()) {
            return self.circle(span);
        }
        let by_variable: FxHashMap<VarId, Definition> =
            self.system.definitions.iter().map(|definition| (definition.variable, *definition)).collect();
        self.system.definitions = order.iter().filter_map(|var| by_variable.get(var).copied()).collect();
    }

    /// Reports circles among the `next(x)` of one process.
    pub fn check_next_circles(&mut self) {
        let mut circles = Vec::new();
        let mut processes: Vec<_> = self.assignments.updates.iter().collect();
        processes.sort_unstable_by_key(|(process, _)| **process);
        for (_, updates) in processes {
            let needs: Needs = updates.iter().filter_map(|update| self.next_needs(update)).collect();
            let mut all: Vec<VarId> = needs.keys().copied().collect();
            all.sort_unstable();
            circles.extend(sort(&needs, all.into_iter()).err());
        }
        circles.into_iter().for_each(|span| self.circle(span));
    }

    fn next_needs(&self, update: &Update) -> Option<(VarId, (Span, Vec<VarId>))> {
        let Place::Variable(var) = update.place else { return None };
        Some((var, (update.span, reads(&self.system.exprs, update.choice).next)))
    }

    fn circle(&mut self, span: Span) {
        let help = "break the circle, for example by using the old value of one of the variables";
        self.error_with_help(codes::CIRCULAR, span, "this assignment depends on itself", help);
    }
}

fn reads(exprs: &Exprs, choice: Choice) -> Footprint {
    match choice {
        Choice::Exactly(expr) | Choice::OneOf(expr) => Footprint::of(exprs, &[expr]),
        Choice::Anything => Footprint::default(),
    }
}

/// A depth-first order, needed variables first; the place of an assignment on a circle if there is one.
fn sort(needs: &Needs, roots: impl Iterator<Item = VarId>) -> Result<Vec<VarId>, Span> {
    enum Task {
        Enter(VarId),
        Leave(VarId),
    }
    let mut open: FxHashMap<VarId, bool> = FxHashMap::default();
    let mut order = Vec::new();
    for root in roots {
        let mut tasks = vec![Task::Enter(root)];
        while let Some(task) = tasks.pop() {
            match task {
                Task::Leave(var) => {
                    open.insert(var, false);
                    order.push(var);
                }
                Task::Enter(var) => {
                    let Some((span, reads)) = needs.get(&var) else { continue };
                    match open.get(&var) {
                        Some(true) => return Err(*span),
                        Some(false) => continue,
                        None => {}
                    }
                    open.insert(var, true);
                    tasks.push(Task::Leave(var));
                    tasks.extend(reads.iter().map(|read| Task::Enter(*read)));
                }
            }
        }
    }
    Ok(order)
}
