// A run: its steps, and the value of every variable in every state.

/** Whether the name of a control point is just a line and a number. */
function isPlace(name) {
  return /^[0-9]+:[0-9]+$/.test(name);
}

class Run {
  constructor(data) {
    Object.assign(this, data);
    this.last = this.steps.length;
    // For each variable its values with the state from which on it has them.
    this.history = this.first.map((value) => [[0, value]]);
    this.steps.forEach((step, index) => {
      for (const [variable, value] of step.changes) this.history[variable].push([index + 1, value]);
    });
    this.coreVariables = new Set(this.core ? this.core[0] : []);
    this.coreSteps = new Set(this.core ? this.core[1] : []);
    this.isActive = this.processes.map((_, index) => this.steps.some((s) => s.process === index || s.partner === index));
  }

  /** The value of a variable in a state, by bisection. */
  value(variable, state) {
    const history = this.history[variable];
    let low = 0;
    let high = history.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (history[middle][0] <= state) low = middle;
      else high = middle - 1;
    }
    return history[low][1];
  }

  /** The position of the control point where a process is in a state; -1 if that is not known. */
  point(process, state) {
    const { pc, points } = this.processes[process];
    if (pc === null) return points.length === 1 ? 0 : -1;
    const value = this.value(pc, state);
    return points.findIndex((point) => point[1] === value);
  }

  /** What a process does in the step to a state: a message, a statement at a point that has no name, or the point. */
  action(state, process) {
    const { messages, at, text, partner } = this.steps[state - 1];
    if (messages.length > 0) return messages[0][0];
    if (at === null) return "moves";
    if (text === null || !isPlace(at)) return at;
    const halves = text.split(" / ");
    return partner === process && halves.length === 2 ? halves[1] : halves[0];
  }

  /** Who moved to a state, from where, and what the model says there. */
  describe(state) {
    if (state === 0) return "initial state";
    const step = this.steps[state - 1];
    const partner = step.partner === null ? "" : " with " + this.processes[step.partner].name;
    return this.processes[step.process].name + partner + " moves" + (step.at === null || isPlace(step.at) ? "" : " at " + step.at);
  }
}
