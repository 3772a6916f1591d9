// The page: verdicts, and one run at a time with its slider, filters and keys.

class View {
  constructor(run) {
    this.run = run;
    this.state = 0;
    this.chart = new Chart(run, (state) => this.select(state));
    this.variables = new Variables(run);
    this.graphs = run.processes.map((_, index) => index).filter((index) => run.isActive[index])
      .slice(0, MOST_GRAPHS).map((index) => new Graph(run, index));
    this.slider = element("input", { type: "range", id: "slider", min: 0, max: run.last, value: 0, "aria-label": "state" });
    this.position = element("output", { id: "position", for: "slider" });
    this.step = element("div", { class: "step-text", "aria-live": "polite", id: "step" });
    this.search = element("input", { type: "search", id: "search", placeholder: "part of a name",
      "aria-label": "show variables whose names contain" });
    this.onlyChanged = element("input", { type: "checkbox", id: "only-changed" });
    this.onlyCore = element("input", { type: "checkbox", id: "only-core" });
    this.boxes = run.processes.map((_, index) => element("input", { type: "checkbox", checked: true, "data-process": index }));
    this.node = this.build();
    this.listen();
  }

  build() {
    const button = (label, text, change) => {
      const node = element("button", { type: "button", "aria-label": label, title: label }, text);
      node.addEventListener("click", () => this.select(change()));
      return node;
    };
    const option = (box, text) => element("label", { class: "option", title: text }, box, " ", shortened(text, 24));
    const controls = element("div", { class: "controls", role: "group", "aria-label": "steps" },
      button("first state", "|◀", () => 0), button("state before", "◀", () => this.state - 1), this.slider,
      button("next state", "▶", () => this.state + 1), button("last state", "▶|", () => this.run.last), this.position);
    const processes = element("fieldset", { class: "processes" }, element("legend", {}, "processes"),
      ...this.boxes.map((box, index) => option(box, this.run.processes[index].name)));
    const core = this.run.core ? [option(this.onlyCore, "only what matters")] : [];
    const filters = element("div", { class: "filters" }, this.search, option(this.onlyChanged, "only what changed"), ...core);
    return element("div", { class: "view" }, controls, this.step, processes, element("div", { class: "columns" },
      this.chart.node, element("section", { class: "state", "aria-label": "state" }, filters, this.variables.count,
        this.variables.node)), element("section", { class: "graphs", "aria-label": "control flow" },
      ...this.graphs.map((graph) => graph.node)));
  }

  listen() {
    this.slider.addEventListener("input", () => this.select(Number(this.slider.value)));
    for (const input of [this.search, this.onlyChanged, this.onlyCore]) {
      input.addEventListener("input", () => this.filter());
    }
    for (const box of this.boxes) box.addEventListener("input", () => this.filter());
  }

  shownProcesses() {
    return new Set(this.boxes.filter((box) => box.checked).map((box) => Number(box.dataset.process)));
  }

  filter() {
    const processes = this.shownProcesses();
    this.variables.filter({ text: this.search.value, processes, onlyChanged: this.onlyChanged.checked,
      onlyCore: this.onlyCore.checked });
    this.chart.show([...processes].filter((process) => this.run.isActive[process]));
    for (const graph of this.graphs) graph.node.hidden = !processes.has(graph.process);
  }

  select(wanted) {
    this.state = Math.max(0, Math.min(this.run.last, wanted));
    this.slider.value = this.state;
    this.position.textContent = "state " + this.state + " of " + this.run.last;
    this.step.replaceChildren(...this.stepText());
    this.variables.select(this.state);
    for (const graph of this.graphs) graph.select(this.state);
    this.chart.select(this.state);
    if (this.onlyChanged.checked || this.variables.count.textContent === "") this.filter();
  }

  stepText() {
    const parts = [element("b", {}, shortened(this.run.describe(this.state), 200))];
    const step = this.run.steps[this.state - 1];
    if (!step) return parts.concat(this.waiting());
    if (step.line !== null) {
      parts.push(element("code", {}, "line " + step.line + (step.text === null ? "" : ": " + shortened(step.text, 160))));
    }
    for (const [text] of step.messages) parts.push(element("code", { class: "message" }, shortened(text, 80)));
    if (step.prints !== null) parts.push(element("samp", { title: "printed" }, shortened(step.prints, 400)));
    for (const [name, value] of step.inputs) parts.push(element("code", {}, shortened(name + " = " + value, 80)));
    if (this.run.core && !this.run.coreSteps.has(this.state)) {
      parts.push(element("i", {}, "the violation does not depend on this step"));
    }
    return parts.concat(this.waiting());
  }

  /** Who waits where, in the last state of a run to where no process can move. */
  waiting() {
    if (this.state !== this.run.last || this.run.waiting.length === 0) return [];
    const rows = this.run.waiting.map((text) => element("li", {}, element("code", {}, shortened(text, 300))));
    return [element("div", { class: "waiting" }, element("b", {}, "no process can move"), element("ul", {}, ...rows))];
  }

  /** Where a key leads from here; null if it means nothing. */
  goal(key) {
    const goals = { ArrowLeft: this.state - 1, ArrowUp: this.state - 1, ArrowRight: this.state + 1,
      ArrowDown: this.state + 1, PageUp: this.state - 10, PageDown: this.state + 10, Home: 0, End: this.run.last };
    return key in goals ? goals[key] : null;
  }
}

class Page {
  constructor(data) {
    this.data = data;
    this.views = new Map();
    this.place = element("main", {});
    document.body.append(element("p", { class: "about" }, data.about), this.findings(), this.verdicts(), this.place);
    if (data.runs.length > 0) this.open(0);
    document.addEventListener("keydown", (event) => this.key(event));
  }

  /** Buttons that open runs. */
  shows(runs, names) {
    return runs.map((run, index) => {
      const show = element("button", { type: "button", "data-run": run }, names[index]);
      show.addEventListener("click", () => this.open(run));
      return show;
    });
  }

  /** What is wrong with the model itself. */
  findings() {
    const rows = this.data.findings.map(({ severity, code, place, message, text, help, runs }) => {
      const details = [element("span", { class: "finding " + severity }, `${severity}[${code}]`), " ", message];
      if (place !== "") details.push(" ", element("span", { class: "place" }, place));
      details.push(" ", ...this.shows(runs, ["show the run"]));
      if (text) details.push(element("code", { class: "written" }, shortened(text, 200)));
      if (help !== null) details.push(element("span", { class: "written" }, "help: " + help));
      return element("li", {}, ...details);
    });
    return element("ul", { class: "verdicts findings", "aria-label": "diagnostics" }, ...rows);
  }

  /** Who waits where at the end of a property's counterexample. */
  waiting(runs) {
    const texts = runs.length === 0 ? [] : this.data.runs[runs[0]].waiting;
    return texts.map((text) => element("code", { class: "written" }, shortened(text, 300)));
  }

  /** Why a formula has its value: runs inside of those that they leave. */
  tree(limbs) {
    const build = (number) => {
      const { label, run, claims } = limbs[number];
      const rows = claims.map((text) => element("li", {}, element("code", {}, shortened(text, 300))));
      const leaving = limbs.map((limb, index) => [limb, index]).filter(([limb]) => limb.parent === number);
      return element("li", {}, label, " ", ...this.shows(run === null ? [] : [run], ["show"]),
        element("ul", {}, ...rows, ...leaving.map(([, index]) => build(index))));
    };
    return limbs.length === 0 ? [] : [element("ul", { class: "tree", "aria-label": "why" }, build(0))];
  }

  verdicts() {
    const rows = this.data.properties.map(({ name, verdict, summary, written, runs, shows, conjuncts, tree }) => {
      const badge = element("span", { class: "verdict " + verdict.split(" ")[0] }, summary);
      return element("li", {}, badge, " ", element("span", { class: "property", title: name }, name), " ",
        ...this.shows(runs, shows), element("code", { class: "written" }, written),
        ...conjuncts.map((text) => element("code", { class: "written" }, shortened(text, 300))),
        ...this.waiting(runs), ...this.tree(tree));
    });
    return element("ul", { class: "verdicts", "aria-label": "verdicts" }, ...rows);
  }

  open(index) {
    if (!this.views.has(index)) this.views.set(index, new View(new Run(this.data.runs[index])));
    this.view = this.views.get(index);
    for (const button of document.querySelectorAll("button[data-run]")) {
      button.setAttribute("aria-pressed", button.dataset.run === String(index));
    }
    this.place.replaceChildren(element("h2", {}, this.data.runs[index].label), this.view.node);
    this.view.select(this.view.state);
  }

  /** Arrows and the like move through the run, wherever the focus is, except where they mean something else. */
  key(event) {
    const target = event.target;
    if (!this.view || event.altKey || event.ctrlKey || event.metaKey) return;
    if (target.matches("input[type=search]")) return;
    const goal = this.view.goal(event.key);
    if (goal === null) return;
    event.preventDefault();
    this.view.select(goal);
  }
}

const page = new Page(JSON.parse(document.getElementById("data").textContent));
