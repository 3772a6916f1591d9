//! Strongly connected components, by the algorithm of R. Tarjan (1972) without recursion.

/// For each vertex of a graph, given by the edges that leave it, the number of its strongly connected component. What a
/// component leads to has a smaller number.
pub fn components<E>(graph: &[Vec<E>], end: impl Fn(&E) -> usize) -> Vec<usize> {
    const UNSEEN: usize = usize::MAX;
    let mut places = vec![UNSEEN; graph.len()];
    let mut lowest = vec![0; graph.len()];
    let mut numbers = vec![UNSEEN; graph.len()];
    let (mut stack, mut path, mut entered, mut components) = (Vec::new(), Vec::new(), 0, 0);
    for start in 0..graph.len() {
        if places[start] != UNSEEN {
            continue;
        }
        path.push((start, 0));
        while let Some((at, next)) = path.pop() {
            if next == 0 {
                (places[at], lowest[at]) = (entered, entered);
                entered += 1;
                stack.push(at);
            }
            if let Some(edge) = graph[at].get(next) {
                let to = end(edge);
                path.push((at, next + 1));
                if places[to] == UNSEEN {
                    path.push((to, 0));
                } else if numbers[to] == UNSEEN {
                    lowest[at] = lowest[at].min(places[to]);
                }
                continue;
            }
            if lowest[at] == places[at] {
                while let Some(member) = stack.pop() {
                    numbers[member] = components;
                    if member == at {
                        break;
                    }
                }
                components += 1;
            }
            if let Some((parent, _)) = path.last() {
                lowest[*parent] = lowest[*parent].min(lowest[at]);
            }
        }
    }
    numbers
}
