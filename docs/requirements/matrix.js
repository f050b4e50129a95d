// Filters the tables of the page "Which implementation meets which requirement"; without scripts they stand there whole.
document.addEventListener("DOMContentLoaded", () => {
  const form = document.querySelector("form.matrix");
  if (!form) return;
  const rows = [...document.querySelectorAll("article table tbody tr")].map((row) => {
    const cells = [...row.cells].map((cell) => cell.textContent.trim());
    const table = row.closest("table");
    const heading = headingOf(table);
    return { row, table, heading, words: cells.join(" ").toLowerCase(), level: cells[1], states: cells.slice(4) };
  });
  for (const row of rows) row.profile = row.heading.firstChild.textContent.trim();
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
    for (const one of rows) {
      const fits = wanted.every((word) => one.words.includes(word)) && (!profile || one.profile === profile)
        && (!level || one.level === level) && (!state || one.states.includes(state));
      one.fits = fits;
      show(one.row, fits);
      shown += fits;
    }
    for (const table of new Set(rows.map((one) => one.table))) {
      const some = rows.some((one) => one.table === table && one.fits);
      show(table, some);
      show(headingOf(table), some);
    }
    form.querySelector("output").textContent = `${shown} of ${rows.length} requirements`;
  }
});
