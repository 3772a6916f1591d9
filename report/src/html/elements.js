// Making elements. Texts from the model are only ever set as texts.

/** An element with attributes and children; a child that is no node is a text. */
function element(name, attributes, ...children) {
  return fill(document.createElement(name), attributes, children);
}

/** The same in a drawing. */
function shape(name, attributes, ...children) {
  return fill(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, children);
}

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value !== null && value !== undefined && value !== false) node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children);
  return node;
}

/** A text of at most so many characters; the whole one is shown when pointed at. */
function shortened(text, longest) {
  return text.length > longest ? text.slice(0, longest - 1) + "…" : text;
}
