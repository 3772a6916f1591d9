//! CTL with justice on explicit graphs, by components: an oracle that shares no code with the engines.

use crate::systems::Random;
use std::collections::BTreeSet;

/// A step of a graph, and which justice constraints it meets (those over its source and those over the step).
#[derive(Clone, Debug)]
pub struct Edge {
    pub from: usize,
    pub to: usize,
    pub meets: Vec<bool>,
}

/// A graph whose nodes are numbered from 0.
#[derive(Clone, Debug)]
pub struct Graph {
    pub nodes: usize,
    pub edges: Vec<Edge>,
    pub initial: BTreeSet<usize>,
    /// How many justice constraints there are.
    pub constraints: usize,
}

/// A formula; atoms are sets of nodes.
#[derive(Clone, Debug)]
pub enum Ctl {
    Atom(usize),
    Not(Box<Ctl>),
    And(Box<Ctl>, Box<Ctl>),
    Or(Box<Ctl>, Box<Ctl>),
    Implies(Box<Ctl>, Box<Ctl>),
    Iff(Box<Ctl>, Box<Ctl>),
    Ex(Box<Ctl>),
    Ax(Box<Ctl>),
    Ef(Box<Ctl>),
    Af(Box<Ctl>),
    Eg(Box<Ctl>),
    Ag(Box<Ctl>),
    Eu(Box<Ctl>, Box<Ctl>),
    Au(Box<Ctl>, Box<Ctl>),
    Ebf(u32, u32, Box<Ctl>),
    Abf(u32, u32, Box<Ctl>),
    Ebg(u32, u32, Box<Ctl>),
    Abg(u32, u32, Box<Ctl>),
    Ebu(u32, u32, Box<Ctl>, Box<Ctl>),
    Abu(u32, u32, Box<Ctl>, Box<Ctl>),
}

/// A random formula over some atoms.
pub fn random_formula(random: &mut Random, atoms: usize, depth: usize) -> Ctl {
    if depth == 0 || random.chance(10) {
        return Ctl::Atom(random.below(atoms));
    }
    let kind = random.below(19);
    let a = Box::new(random_formula(random, atoms, depth - 1));
    let b = Box::new(random_formula(random, atoms, if !(4..=14).contains(&kind) { depth - 1 } else { 0 }));
    let from = random.below(3) as u32;
    let to = from + random.below(4) as u32;
    match kind {
        0 => Ctl::And(a, b),
        1 => Ctl::Or(a, b),
        2 => Ctl::Implies(a, b),
        3 => Ctl::Iff(a, b),
        4 => Ctl::Not(a),
        5 => Ctl::Ex(a),
        6 => Ctl::Ax(a),
        7 => Ctl::Ef(a),
        8 => Ctl::Af(a),
        9 => Ctl::Eg(a),
        10 => Ctl::Ag(a),
        11 => Ctl::Ebf(from, to, a),
        12 => Ctl::Abf(from, to, a),
        13 => Ctl::Ebg(from, to, a),
        14 => Ctl::Abg(from, to, a),
        15 => Ctl::Eu(a, b),
        16 => Ctl::Au(a, b),
        17 => Ctl::Ebu(from, to, a, b),
        _ => Ctl::Abu(from, to, a, b),
    }
}

impl Ctl {
    /// The formula as SMV writes it, with texts for the atoms.
    pub fn written(&self, atoms: &[String]) -> String {
        let of = |a: &Ctl| a.written(atoms);
        match self {
            Ctl::Atom(atom) => format!("({})", atoms[*atom]),
            Ctl::Not(a) => format!("!({})", of(a)),
            Ctl::And(a, b) => format!("({} & {})", of(a), of(b)),
            Ctl::Or(a, b) => format!("({} | {})", of(a), of(b)),
            Ctl::Implies(a, b) => format!("({} -> {})", of(a), of(b)),
            Ctl::Iff(a, b) => format!("({} <-> {})", of(a), of(b)),
            Ctl::Ex(a) => format!("EX ({})", of(a)),
            Ctl::Ax(a) => format!("AX ({})", of(a)),
            Ctl::Ef(a) => format!("EF ({})", of(a)),
            Ctl::Af(a) => format!("AF ({})", of(a)),
            Ctl::Eg(a) => format!("EG ({})", of(a)),
            Ctl::Ag(a) => format!("AG ({})", of(a)),
            Ctl::Eu(a, b) => format!("E [ {} U {} ]", of(a), of(b)),
            Ctl::Au(a, b) => format!("A [ {} U {} ]", of(a), of(b)),
            Ctl::Ebf(from, to, a) => format!("EBF {from}..{to} ({})", of(a)),
            Ctl::Abf(from, to, a) => format!("ABF {from}..{to} ({})", of(a)),
            Ctl::Ebg(from, to, a) => format!("EBG {from}..{to} ({})", of(a)),
            Ctl::Abg(from, to, a) => format!("ABG {from}..{to} ({})", of(a)),
            Ctl::Ebu(from, to, a, b) => format!("E [ {} BU {from}..{to} {} ]", of(a), of(b)),
            Ctl::Abu(from, to, a, b) => format!("A [ {} BU {from}..{to} {} ]", of(a), of(b)),
        }
    }
}

type Set = Vec<bool>;

/// Evaluates formulas on one graph.
pub struct Oracle<'a> {
    graph: &'a Graph,
    atoms: &'a [Set],
    next: Vec<Vec<usize>>,
    pub fair: Set,
}

impl<'a> Oracle<'a> {
    pub fn new(graph: &'a Graph, atoms: &'a [Set]) -> Oracle<'a> {
        let mut next = vec![Vec::new(); graph.nodes];
        graph.edges.iter().for_each(|edge| next[edge.from].push(edge.to));
        let mut oracle = Oracle { graph, atoms, next, fair: Vec::new() };
        oracle.fair = oracle.fair_within(&vec![true; graph.nodes]);
        oracle
    }

    /// Whether every initial node with a fair run satisfies the formula.
    pub fn holds(&self, formula: &Ctl) -> bool {
        let states = self.states(formula);
        self.graph.initial.iter().all(|node| !self.fair[*node] || states[*node])
    }

    /// The nodes with a run that stays in a set for ever and meets every constraint again and again: those that reach, inside
    /// the set, a component with an edge for each constraint.
    fn fair_within(&self, set: &Set) -> Set {
        let mut good = vec![false; self.graph.nodes];
        let reach: Vec<Set> = (0..self.graph.nodes).map(|node| self.reach_inside(node, set)).collect();
        for node in 0..self.graph.nodes {
            let inside: Vec<&Edge> = (self.graph.edges.iter())
                .filter(|edge| reach[node][edge.from] && reach[edge.from][node] && reach[edge.from][edge.to])
                .filter(|edge| reach[edge.to][node])
                .collect();
            let met = |constraint: usize| inside.iter().any(|edge| edge.meets[constraint]);
            good[node] = !inside.is_empty() && (0..self.graph.constraints).all(met);
        }
        (0..self.graph.nodes).map(|node| (0..self.graph.nodes).any(|other| reach[node][other] && good[other])).collect()
    }

    /// The nodes that a node reaches by any number of steps inside a set.
    fn reach_inside(&self, node: usize, set: &Set) -> Set {
        let (mut seen, mut open) = (vec![false; self.graph.nodes], vec![node]);
        while let Some(node) = open.pop() {
            if set[node] && !std::mem::replace(&mut seen[node], true) {
                open.extend(&self.next[node]);
            }
        }
        seen
    }

    fn some_next(&self, set: &Set) -> Set {
        (0..self.graph.nodes).map(|node| self.next[node].iter().any(|to| set[*to] && self.fair[*to])).collect()
    }

    fn some_until(&self, p: &Set, q: &Set) -> Set {
        let goal: Set = q.iter().zip(&self.fair).map(|(q, fair)| *q && *fair).collect();
        let reaches = |node: usize| {
            let (mut seen, mut open) = (vec![false; self.graph.nodes], vec![node]);
            while let Some(node) = open.pop() {
                if goal[node] {
                    return true;
                }
                if p[node] && !std::mem::replace(&mut seen[node], true) {
                    open.extend(&self.next[node]);
                }
            }
            false
        };
        (0..self.graph.nodes).map(reaches).collect()
    }

    /// Whether some fair run (of fair nodes) satisfies `accept`, asked node by node and step by step up to the window's end.
    fn some_bounded(&self, from: u32, to: u32, p: &Set, q: &Set) -> Set {
        let mut layers = vec![(0..self.graph.nodes).map(|n| q[n] && self.fair[n]).collect::<Set>()];
        for at in (0..to).rev() {
            let later = self.some_next(&layers[layers.len() - 1]);
            let here = |n: usize| at >= from && q[n] && self.fair[n] || p[n] && later[n];
            layers.push((0..self.graph.nodes).map(here).collect());
        }
        layers.pop().expect("there is a layer for each step")
    }

    fn some_during(&self, from: u32, to: u32, p: &Set) -> Set {
        let mut later: Set = (0..self.graph.nodes).map(|n| p[n] && self.fair[n]).collect();
        for at in (0..to).rev() {
            let before = self.some_next(&later);
            later = (0..self.graph.nodes).map(|n| before[n] && (at < from || p[n])).collect();
        }
        later
    }

    /// On every fair run, q within the window and p before: the negation is a run on which q does not come in the window
    /// before p ends. Asked by exploring all pairs of a node and a time.
    fn all_bounded(&self, from: u32, to: u32, p: &Set, q: &Set) -> Set {
        // escapes[n]: from n at time `at` there is a fair run that violates.
        let mut escapes: Set = (0..self.graph.nodes).map(|n| !q[n] && self.fair[n]).collect();
        for at in (0..to).rev() {
            let later = self.some_next(&escapes);
            let here = |n: usize| {
                let done = at >= from && q[n];
                self.fair[n] && !done && (!p[n] || later[n])
            };
            escapes = (0..self.graph.nodes).map(here).collect();
        }
        escapes.iter().map(|escapes| !escapes).collect()
    }

    pub fn states(&self, formula: &Ctl) -> Set {
        let not = |set: Set| -> Set { set.iter().map(|value| !value).collect() };
        let all = vec![true; self.graph.nodes];
        let both = |a: &Ctl, b: &Ctl, op: fn(bool, bool) -> bool| -> Set {
            self.states(a).into_iter().zip(self.states(b)).map(|(a, b)| op(a, b)).collect()
        };
        match formula {
            Ctl::Atom(atom) => self.atoms[*atom].clone(),
            Ctl::Not(a) => not(self.states(a)),
            Ctl::And(a, b) => both(a, b, |a, b| a && b),
            Ctl::Or(a, b) => both(a, b, |a, b| a || b),
            Ctl::Implies(a, b) => both(a, b, |a, b| !a || b),
            Ctl::Iff(a, b) => both(a, b, |a, b| a == b),
            Ctl::Ex(a) => self.some_next(&self.states(a)),
            Ctl::Ax(a) => not(self.some_next(&not(self.states(a)))),
            Ctl::Ef(a) => self.some_until(&all, &self.states(a)),
            Ctl::Ag(a) => not(self.some_until(&all, &not(self.states(a)))),
            Ctl::Eg(a) => self.fair_within(&self.states(a)),
            Ctl::Af(a) => not(self.fair_within(&not(self.states(a)))),
            Ctl::Eu(a, b) => self.some_until(&self.states(a), &self.states(b)),
            Ctl::Au(a, b) => {
                let (p, q) = (self.states(a), not(self.states(b)));
                let neither: Set = p.iter().zip(&q).map(|(p, not_q)| !p && *not_q).collect();
                let (broken, never) = (self.some_until(&q, &neither), self.fair_within(&q));
                broken.into_iter().zip(never).map(|(broken, never)| !broken && !never).collect()
            }
            Ctl::Ebf(from, to, a) => self.some_bounded(*from, *to, &all, &self.states(a)),
            Ctl::Abg(from, to, a) => not(self.some_bounded(*from, *to, &all, &not(self.states(a)))),
            Ctl::Ebg(from, to, a) => self.some_during(*from, *to, &self.states(a)),
            Ctl::Abf(from, to, a) => not(self.some_during(*from, *to, &not(self.states(a)))),
            Ctl::Ebu(from, to, a, b) => self.some_bounded(*from, *to, &self.states(a), &self.states(b)),
            Ctl::Abu(from, to, a, b) => self.all_bounded(*from, *to, &self.states(a), &self.states(b)),
        }
    }
}
