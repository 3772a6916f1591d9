// The message-sequence chart: a lane per process, a row per state. Only the rows in sight are drawn.

const ROW = 26;
/** The least and the greatest width of a lane: as much as there is room for. */
const LANES = [132, 230];
const MARGIN = 64;

class Chart {
  constructor(run, onSelect) {
    this.run = run;
    this.state = 0;
    this.lane = LANES[0];
    this.lanes = run.processes.map((_, index) => index).filter((index) => run.isActive[index]);
    this.onSelect = onSelect;
    this.head = shape("svg", { height: 28, role: "presentation" });
    this.drawing = shape("svg", { class: "rows" });
    this.space = element("div", { class: "space" }, this.drawing);
    this.space.style.height = (run.last + 1) * ROW + "px";
    this.scroller = element("div", { class: "scroller", tabindex: 0, "aria-label": "steps by process" },
      element("div", { class: "lanes" }, this.head), this.space);
    this.node = element("section", { class: "chart", "aria-label": "message-sequence chart" }, this.scroller);
    this.scroller.addEventListener("scroll", () => this.draw());
    this.drawing.addEventListener("click", (event) => this.onSelect(this.rowAt(event)));
    new ResizeObserver(() => this.draw()).observe(this.scroller);
  }

  rowAt(event) {
    const y = event.clientY - this.space.getBoundingClientRect().top;
    return Math.max(0, Math.min(this.run.last, Math.floor(y / ROW)));
  }

  show(lanes) {
    this.lanes = lanes;
    this.draw();
  }

  /** Goes to a state and brings its row into sight. */
  select(state) {
    this.state = state;
    const top = state * ROW;
    const room = this.scroller.clientHeight - this.head.clientHeight - ROW;
    const isInSight = top >= this.scroller.scrollTop && top <= this.scroller.scrollTop + room - ROW;
    if (!isInSight) this.scroller.scrollTop = top - room / 2;
    this.draw();
  }

  x(process) {
    const lane = this.lanes.indexOf(process);
    return lane < 0 ? null : MARGIN + lane * this.lane + this.lane / 2;
  }

  draw() {
    const room = Math.floor((this.scroller.clientWidth - MARGIN) / Math.max(1, this.lanes.length));
    this.lane = Math.max(LANES[0], Math.min(LANES[1], room));
    const width = MARGIN + this.lanes.length * this.lane;
    this.space.style.width = width + "px";
    fill(this.head, { width }, []);
    this.head.replaceChildren(...this.lanes.map((process) => {
      const name = this.run.processes[process].name;
      return shape("text", { x: this.x(process), y: 19, class: "name" }, shape("title", {}, name), shortened(name, this.letters() + 2));
    }));
    const first = Math.max(0, Math.floor(this.scroller.scrollTop / ROW) - 2);
    const last = Math.min(this.run.last, first + Math.ceil(this.scroller.clientHeight / ROW) + 4);
    const top = first * ROW;
    const height = (last - first + 1) * ROW;
    fill(this.drawing, { width, height, style: `top:${top}px`, viewBox: `0 ${top} ${width} ${height}` }, []);
    const lines = this.lanes.map((process) => shape("line",
      { x1: this.x(process), x2: this.x(process), y1: top, y2: top + height, class: "lane" }));
    const rows = [];
    for (let state = first; state <= last; state += 1) rows.push(this.row(state));
    const band = shape("rect", { x: 0, y: this.state * ROW, width, height: ROW, class: "band" });
    const arrows = [];
    for (let state = Math.max(first, 1); state <= last; state += 1) arrows.push(...this.arrows(state));
    this.drawing.replaceChildren(marker(), band, ...lines, ...this.loop(), ...arrows, ...rows);
  }

  /** The way back from the last state to where the loop starts. */
  loop() {
    if (this.run.loop === null) return [];
    const [bottom, top] = [this.run.last, this.run.loop].map((state) => state * ROW + ROW / 2);
    return [shape("path", { d: `M${MARGIN} ${bottom}H${MARGIN - 8}V${top}H${MARGIN}`, class: "way-back",
      "marker-end": "url(#head)" }, shape("title", {}, "from the last state the run goes on in state " + this.run.loop))];
  }

  row(state) {
    const y = state * ROW;
    const isCurrent = state === this.state;
    const row = shape("g", { class: "row" + (isCurrent ? " current" : ""), "data-state": state },
      shape("text", { x: 8, y: y + 17, class: "number" }, String(state)));
    if (this.run.loop === state) row.append(shape("text", { x: 34, y: y + 17, class: "loop" }, "↻",
      shape("title", {}, "the loop starts here")));
    if (state === this.run.last && this.run.loop !== null) row.append(shape("text", { x: 34, y: y + 17, class: "loop" },
      "↑" + this.run.loop, shape("title", {}, "this is state " + this.run.loop + " again")));
    if (state > 0) row.append(...this.boxes(state, y));
    return row;
  }

  /** How wide a box is, and how many letters it has room for. */
  box() {
    return this.lane - 16;
  }

  letters() {
    return Math.floor((this.box() - 4) / 7.6);
  }

  boxes(state, y) {
    const step = this.run.steps[state - 1];
    const inCore = !this.run.core || this.run.coreSteps.has(state);
    return [step.process, step.partner].filter((process) => process !== null && this.x(process) !== null)
      .map((process) => shape("g", { class: "step" + (inCore ? "" : " outside") },
        shape("rect", { x: this.x(process) - this.box() / 2, y: y + 4, width: this.box(), height: ROW - 8, rx: 4 }),
        shape("text", { x: this.x(process), y: y + 17 }, shortened(this.run.action(state, process), this.letters())),
        shape("title", {}, this.run.describe(state))));
  }

  /** Messages, from the steps whose changes this one may have read, and between the partners of a rendezvous. */
  arrows(state) {
    const step = this.run.steps[state - 1];
    const middle = (number) => number * ROW + ROW / 2;
    const line = (from, to, y1, kind, text) => {
      const [x1, x2] = [this.x(from), this.x(to)];
      if (x1 === null || x2 === null || x1 === x2) return null;
      const side = x2 > x1 ? 1 : -1;
      const edge = side * this.box() / 2;
      return shape("line", { x1: x1 + edge, y1, x2: x2 - edge - 2 * side, y2: middle(state), class: "arrow " + kind,
        "marker-end": "url(#head)" }, shape("title", {}, text));
    };
    const isCurrent = state === this.state;
    const from = (earlier, kind, text) => line(this.run.steps[earlier - 1].process, step.process, middle(earlier),
      kind + (isCurrent ? " current" : ""), text);
    const received = step.messages.filter(([, sent]) => sent !== null);
    const arrows = step.observes.filter(([earlier]) => !received.some(([, sent]) => sent === earlier))
      .map(([earlier, names]) => from(earlier, "", names.join(", ")));
    for (const [text, sent] of received) arrows.push(from(sent, "message", text));
    if (step.partner !== null) {
      arrows.push(line(step.process, step.partner, middle(state), "partner", step.text === null ? "together" : step.text));
    }
    return arrows.filter((arrow) => arrow !== null);
  }
}

function marker() {
  return shape("defs", {}, shape("marker",
    { id: "head", viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 8, markerHeight: 8,
      markerUnits: "userSpaceOnUse", orient: "auto" },
    shape("path", { d: "M0 0L8 4L0 8z", class: "head" })));
}
