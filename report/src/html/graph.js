// Control-flow graphs: a drawing per process, with where it is now and the edge it took.

/** The most control points of a graph that is drawn; of a larger one only the current point is named. */
const MOST_POINTS = 60;
/** The most graphs that are drawn. */
const MOST_GRAPHS = 24;
const LEVEL = 46;
const SLOT = 118;

class Graph {
  constructor(run, process) {
    this.run = run;
    this.process = process;
    const { name, points } = run.processes[process];
    this.here = element("span", { class: "here" });
    const isWidened = points.some(([, , round]) => round !== null);
    this.title = element("figcaption", {}, element("b", { title: name }, shortened(name, 24)), " ", this.here,
      ...(isWidened ? [element("small", {}, " (numbers: the rounds in which points were widened)")] : []));
    this.nodes = [];
    this.edges = new Map();
    const isDrawn = points.length > 1 && points.length <= MOST_POINTS;
    this.node = element("figure", { class: "graph" }, this.title, ...(isDrawn ? [this.draw()] : []));
  }

  /** What a control point is called: by its name, or by the statements there if that is just a line and a number. */
  label([name, value]) {
    return isPlace(name) ? value.replace(/^line /, "") : name;
  }

  draw() {
    const { name, points, edges } = this.run.processes[this.process];
    const places = layout(points.length, edges, Math.max(0, this.run.point(this.process, 0)));
    const arcs = edges.map(([from, to]) => reach(places[from], places[to]));
    const width = Math.max(...places.map((place) => place.x + SLOT / 2), ...arcs) + 8;
    const height = Math.max(...places.map((place) => place.y)) + 24;
    const drawing = shape("svg", { viewBox: `0 0 ${width} ${height}`, width, height, role: "img",
      "aria-label": "control-flow graph of " + name }, marker());
    for (const [from, to] of edges) {
      const path = shape("path", { d: route(places[from], places[to]), class: "edge", "marker-end": "url(#head)" });
      this.edges.set(from + ">" + to, path);
      drawing.append(path);
    }
    this.nodes = points.map((point, index) => {
      const [name, round] = [this.label(point), point[2]];
      const { x, y } = places[index];
      const isWidened = round !== null;
      const mark = isWidened ? [shape("text", { x: x + 47, y: y - 2, class: "round" }, String(round))] : [];
      return shape("g", { class: "point" + (isWidened ? " widened" : "") },
        shape("rect", { x: x - 50, y: y - 11, width: 100, height: 22, rx: 4 }),
        shape("text", { x, y: y + 4 }, shortened(name, 13)), ...mark,
        shape("title", {}, name + (isWidened ? ", widened in round " + round : "")));
    });
    drawing.append(...this.nodes);
    return drawing;
  }

  select(state) {
    const point = this.run.point(this.process, state);
    const points = this.run.processes[this.process].points;
    this.here.textContent = point < 0 ? "" : "at " + shortened(this.label(points[point]), 40);
    this.nodes.forEach((node, index) => node.classList.toggle("current", index === point));
    const step = this.run.steps[state - 1];
    const moved = step && (step.process === this.process || step.partner === this.process);
    const taken = moved ? this.run.point(this.process, state - 1) + ">" + point : "";
    for (const [edge, path] of this.edges) path.classList.toggle("taken", edge === taken);
    this.node.classList.toggle("moved", Boolean(moved));
  }
}

/** Points in levels by their distance from the first one. */
function layout(count, edges, first) {
  const level = new Array(count).fill(-1);
  level[first] = 0;
  const queue = [first];
  for (const from of queue) {
    for (const [source, target] of edges) {
      if (source === from && level[target] < 0) {
        level[target] = level[from] + 1;
        queue.push(target);
      }
    }
  }
  const deepest = Math.max(...level);
  const used = [];
  return level.map((found) => {
    const row = found < 0 ? deepest + 1 : found;
    used[row] = (used[row] || 0) + 1;
    return { x: 60 + (used[row] - 1) * SLOT, y: 18 + row * LEVEL };
  });
}

/** How far to the right an arc goes, at most. */
function reach(from, to) {
  return Math.max(from.x, to.x) + 60 + Math.min(60, Math.abs(to.y - from.y) / 4);
}

/** Down to the next level straight, everything else in an arc beside the points. */
function route(from, to) {
  if (from === to) return `M${from.x + 50} ${from.y - 4}c24 -12 24 20 2 10`;
  if (to.y - from.y === LEVEL) return `M${from.x} ${from.y + 11}L${to.x} ${to.y - 12}`;
  if (to.y === from.y) {
    const side = to.x > from.x ? 1 : -1;
    return `M${from.x + side * 30} ${from.y + 11}Q${(from.x + to.x) / 2} ${from.y + 30} ${to.x - side * 30} ${to.y + 12}`;
  }
  const away = reach(from, to);
  return `M${from.x + 50} ${from.y}C${away} ${from.y} ${away} ${to.y} ${to.x + 52} ${to.y}`;
}
