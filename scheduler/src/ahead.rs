//! Runs that are executed ahead, by servers on other cores.
//!
//! The search stays the one that a single server has: it asks for a run, learns from it, and asks for the next. But of most
//! runs it is known early that they will be asked for, and what comes of a run follows from its plan. Other servers execute
//! those meanwhile, and the search finds their records when it asks. What is counted and found is what a single server
//! counts and finds, however fast each of them is.

use crate::cores::Core;
use crate::plan::Plan;
use crate::record::Record;
use crate::session::{Command, Session};
use operations::Lane;
use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};

/// As many records wait to be asked for. The oldest ones go first: they may have been foreseen in error.
const MOST_READY: usize = 256;

/// What a server is to do: a run in which lanes have the numbers that they have elsewhere.
struct Order {
    plan: Plan,
    family: Arc<Vec<(Lane, u64)>>,
    fibres: u64,
}

/// A server in a thread of its own.
struct Worker {
    orders: Sender<Order>,
    /// None where lanes are new, which get their numbers elsewhere.
    answers: Receiver<Option<Record>>,
    /// What it is at.
    plan: Option<Plan>,
}

/// Servers that execute runs ahead, and the records that wait.
pub struct Ahead {
    workers: Vec<Worker>,
    ready: VecDeque<(Plan, Record)>,
    family: Arc<Vec<(Lane, u64)>>,
}

impl Ahead {
    /// As many servers as are wanted besides the one of a session; none if programs are at other addresses each time.
    pub fn new(session: &Session, servers: usize) -> Ahead {
        let others = if session.has_fixed_addresses() { servers.saturating_sub(1) } else { 0 };
        let workers = (0..others).map(|number| Worker::start(session.command().clone(), number)).collect();
        Ahead { workers, ready: VecDeque::new(), family: Arc::default() }
    }

    /// Whether a server has nothing to do.
    pub fn is_idle(&mut self) -> bool {
        self.collect();
        self.workers.iter().any(|worker| worker.plan.is_none())
    }

    /// Takes the answers that are there.
    fn collect(&mut self) {
        let mut index = 0;
        while let Some(worker) = self.workers.get_mut(index) {
            let answer = if worker.plan.is_some() { worker.answers.try_recv() } else { Err(TryRecvError::Empty) };
            match answer {
                Ok(record) => self.note(index, record),
                Err(TryRecvError::Empty) => index += 1,
                // The program does not start there: others have to do its work.
                Err(TryRecvError::Disconnected) => drop(self.workers.remove(index)),
            }
        }
    }

    fn note(&mut self, index: usize, record: Option<Record>) {
        let plan = self.workers[index].plan.take();
        self.ready.extend(plan.zip(record));
        if self.ready.len() > MOST_READY {
            self.ready.pop_front();
        }
    }

    /// Has the first of some plans executed that are not known yet, as far as servers have nothing else to do.
    pub fn execute(&mut self, session: &Session, plans: impl Iterator<Item = Plan>) {
        let Ok(family) = session.family() else { return };
        if family.len() != self.family.len() {
            self.family = Arc::new(family);
        }
        for plan in plans.take(MOST_READY) {
            if self.is_known(&plan) {
                continue;
            }
            let Some(worker) = self.workers.iter_mut().find(|worker| worker.plan.is_none()) else { return };
            let order = Order { plan: plan.clone(), family: self.family.clone(), fibres: session.fibres() };
            // An error shows when its answer is asked for.
            let _ = worker.orders.send(order);
            worker.plan = Some(plan);
        }
    }

    fn is_known(&self, plan: &Plan) -> bool {
        self.ready.iter().any(|(ready, _)| ready == plan)
            || self.workers.iter().any(|worker| worker.plan.as_ref() == Some(plan))
    }

    /// The record of a plan, if it was or is executed ahead.
    pub fn take(&mut self, plan: &Plan) -> Option<Record> {
        if let Some(index) = self.workers.iter().position(|worker| worker.plan.as_ref() == Some(plan)) {
            let answer = self.workers[index].answers.recv();
            answer.into_iter().for_each(|record| self.note(index, record));
        }
        let index = self.ready.iter().position(|(ready, _)| ready == plan)?;
        self.ready.remove(index).map(|(_, record)| record)
    }
}

impl Worker {
    fn start(command: Command, number: usize) -> Worker {
        let (orders, received) = channel();
        let (answered, answers) = channel();
        // The thread ends when there are no more orders. It is not waited for: its run may take long.
        std::thread::spawn(move || work(command, Core::Other(number), &received, &answered));
        Worker { orders, answers, plan: None }
    }
}

fn work(command: Command, core: Core, orders: &Receiver<Order>, answers: &Sender<Option<Record>>) {
    let Ok(mut session) = Session::start_on(command, core) else { return };
    while let Ok(order) = orders.recv() {
        let Ok(record) = session.run_among(&order.plan, &order.family, order.fibres) else { return };
        if answers.send(record).is_err() {
            return;
        }
    }
}
