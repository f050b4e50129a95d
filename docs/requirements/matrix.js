// Filters the tables of the page "Which implementation meets which requirement"; without scripts they stand there whole.
document.addEventListener("DOMContentLoaded", () => {
  const form = document.querySelector("form.matrix");
  if (!form) return;
  const tables = [...document.querySelectorAll("article table")].map((table) => {
    const heading = headingOf(table);
    const profile = heading.firstChild.textContent.trim();
    return { table, heading, rows: [...table.tBodies[0].rows].map((row) => rowOf(row, profile)) };
  });
  const rows = tables.flatMap((one) => one.rows);
  offer("profile", rows.map((row) => row.profile));
  offer("level", rows.map((row) => row.level));
  offer("state", rows.flatMap((row) => row.states));
  form.hidden = false;
  for (const event of ["input", "change"]) form.addEventListener(event, filter);
  form.addEventListener("submit", (event) => event.preventDefault());
  filter();

  function headingOf(table) {
    let before = (table.closest(".md-typeset__scrollwrap") ?? table).previousElementSibling;
    while (before.tagName !== "H2") before = before.previousElementSibling;
    return before;
  }

  function rowOf(row, profile) {
    const cells = [...row.cells].map((cell) => cell.textContent.trim());
    return { row, profile, words: cells.join(" ").toLowerCase(), level: cells[1], states: cells.slice(4) };
  }

  function offer(name, values) {
    for (const value of new Set(values)) form.elements[name].add(new Option(value));
  }

  function show(element, whether) {
    element.style.display = whether ? "" : "none"; // the theme has rules that win over "hidden"
  }

  function filter() {
    const { words, profile, level, state } = Object.fromEntries(new FormData(form));
    const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    const fits = (one) => wanted.every((word) => one.words.includes(word)) && (!profile || one.profile === profile)
      && (!level || one.level === level) && (!state || one.states.includes(state));
    for (const { table, heading, rows } of tables) {
      const fitting = new Set(rows.filter(fits));
      for (const one of rows) show(one.row, fitting.has(one));
      show(table, fitting.size > 0);
      show(heading, fitting.size > 0);
      shown += fitting.size;
    }
    form.querySelector("output").textContent = `${shown} of ${rows.length} requirements`;
  }
});
