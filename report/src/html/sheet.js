// Tables whose columns can be sorted: a button in each heading.

/** The headings of the columns, which are below those of their groups. */
function headingsOf(table) {
  return [...table.tHead.rows[table.tHead.rows.length - 1].cells];
}

/** What a cell is sorted by: its first number, or else its text. */
function sortKey(cell) {
  const text = cell ? cell.textContent : "";
  const number = text.match(/^[^a-z0-9]*(-?[0-9]+(\.[0-9]+)?)/i);
  return number ? Number(number[1]) : text;
}

function compareKeys(a, b) {
  if (typeof a === typeof b) return typeof a === "number" ? a - b : a.localeCompare(b);
  return typeof a === "number" ? -1 : 1;
}

/** Sorts the rows by a column; the other way round if that is how they are sorted already. */
function sortBy(table, column) {
  const headings = headingsOf(table);
  const isAscending = headings[column].getAttribute("aria-sort") !== "ascending";
  const rows = [...table.tBodies[0].rows].map((row) => ({ row, key: sortKey(row.cells[column]) }));
  rows.sort((a, b) => (isAscending ? 1 : -1) * compareKeys(a.key, b.key));
  table.tBodies[0].replaceChildren(...rows.map(({ row }) => row));
  for (const heading of headings) heading.removeAttribute("aria-sort");
  headings[column].setAttribute("aria-sort", isAscending ? "ascending" : "descending");
}

for (const table of document.querySelectorAll(".sheet table")) {
  headingsOf(table).forEach((heading, column) => {
    const button = element("button", { type: "button", title: "sort by this column" }, ...heading.childNodes);
    button.addEventListener("click", () => sortBy(table, column));
    heading.replaceChildren(button);
  });
}
