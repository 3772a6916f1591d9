//! Which words of states are paired in a tree: those that change much are near the root, so that little is folded anew.

/// What is at a position of a tree.
#[derive(Clone, Copy, Debug)]
pub enum Node {
    /// A word of the state.
    Word(u32),
    /// A pair of nodes, whose positions are greater.
    Pair([u32; 2]),
}

/// A binary tree over the words of a state.
#[derive(Clone, Debug)]
pub struct Shape {
    nodes: Vec<Node>,
    parents: Vec<u32>,
    leaves: Vec<u32>,
}

impl Shape {
    /// A shape for states whose words weigh so much: of the two parts of a pair, none should be much heavier.
    pub fn balanced(weights: &[f64]) -> Shape {
        let mut shape = Shape { nodes: Vec::new(), parents: Vec::new(), leaves: vec![0; weights.len()] };
        // Parts to lay out, and whose half they are.
        let mut open = vec![(0..weights.len(), None)];
        while let Some((words, half)) = open.pop() {
            let position = shape.nodes.len() as u32;
            let parent = half.map_or(0, |(parent, _)| parent);
            if let Some((parent, side)) = half
                && let Node::Pair(halves) = &mut shape.nodes[parent as usize]
            {
                halves[side as usize] = position;
            }
            shape.parents.push(parent);
            if words.len() == 1 {
                shape.leaves[words.start] = position;
                shape.nodes.push(Node::Word(words.start as u32));
            } else {
                let middle = middle(weights, words.clone());
                shape.nodes.push(Node::Pair([0, 0]));
                open.push((middle..words.end, Some((position, 1u8))));
                open.push((words.start..middle, Some((position, 0))));
            }
        }
        shape
    }

    /// How many positions there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    #[inline]
    pub fn node(&self, position: usize) -> Node {
        self.nodes[position]
    }

    /// The position of the pair that a node is in.
    #[inline]
    pub fn parent(&self, position: usize) -> usize {
        self.parents[position] as usize
    }

    /// The position of a word.
    #[inline]
    pub fn leaf(&self, word: usize) -> usize {
        self.leaves[word] as usize
    }
}

/// Where to cut some words into two parts that weigh the same, or, where nothing weighs anything, are equally long.
fn middle(weights: &[f64], words: std::ops::Range<usize>) -> usize {
    let total: f64 = weights[words.clone()].iter().sum();
    let mut left = 0.0;
    let (mut best, mut least) = (words.start + 1, (f64::INFINITY, 0));
    for cut in words.start + 1..words.end {
        left += weights[cut - 1];
        let imbalance = ((total - 2.0 * left).abs(), (2 * (cut - words.start)).abs_diff(words.len()));
        if imbalance < least {
            (best, least) = (cut, imbalance);
        }
    }
    best
}
