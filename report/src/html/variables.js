// The table of variables: what each is now, what it was, and whether that is new.

class Variables {
  constructor(run) {
    this.run = run;
    this.rows = run.variables.map((variable, index) => {
      const value = element("td", { class: "value" });
      const before = element("td", { class: "before" });
      const name = element("th", { scope: "row", title: variable.name }, variable.name);
      const row = element("tr", { class: run.coreVariables.has(index) ? "core" : "" }, name, value, before);
      return { row, value, before };
    });
    this.count = element("p", { class: "count", "aria-live": "polite" });
    this.node = element("div", { class: "table", tabindex: 0, "aria-label": "variables" }, element("table", {},
      element("thead", {}, element("tr", {}, ...["variable", "value", "before"].map((name) =>
        element("th", { scope: "col" }, name)))),
      element("tbody", {}, ...this.rows.map((row) => row.row))));
  }

  select(state) {
    const changed = new Set(state === 0 ? [] : this.run.steps[state - 1].changes.map((change) => change[0]));
    this.rows.forEach(({ row, value, before }, index) => {
      const text = this.run.value(index, state);
      if (value.textContent !== text) value.textContent = text;
      const isChanged = changed.has(index);
      const old = isChanged ? this.run.value(index, state - 1) : "";
      if (before.textContent !== old) before.textContent = old;
      row.classList.toggle("changed", isChanged);
    });
    this.changed = changed;
  }

  /** Shows the rows that pass: by a part of the name, by process, by whether they changed or matter. */
  filter({ text, processes, onlyChanged, onlyCore }) {
    const wanted = text.toLowerCase();
    let shown = 0;
    this.run.variables.forEach(({ name, process }, index) => {
      const passes = name.toLowerCase().includes(wanted)
        && (process === null || processes.has(process))
        && (!onlyChanged || this.changed.has(index))
        && (!onlyCore || this.run.coreVariables.has(index));
      this.rows[index].row.hidden = !passes;
      if (passes) shown += 1;
    });
    this.count.textContent = shown + " of " + this.rows.length + " variables";
  }
}
