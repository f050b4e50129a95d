"use strict";
// Without this script the page shows the same; it only finds and opens.
const rows = [...document.querySelectorAll(".r")];
const search = document.getElementById("search");
const words = new Map();
const wordsOf = (row) => {
  if (!words.has(row)) words.set(row, row.textContent.toLowerCase());
  return words.get(row);
};
const openAll = (open) => {
  for (const part of document.querySelectorAll(".r:not([hidden]) details")) part.open = open;
};
const openTarget = () => {
  const row = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!row || !row.classList.contains("r")) return;
  row.querySelector("details").open = true;
  row.scrollIntoView();
};
document.querySelector(".filter").addEventListener("submit", (event) => event.preventDefault());
document.querySelector(".scripted").hidden = false;
search.addEventListener("input", () => {
  const wanted = search.value.toLowerCase().split(/\s+/).filter(Boolean);
  for (const row of rows) row.hidden = !wanted.every((word) => wordsOf(row).includes(word));
});
document.getElementById("expand").addEventListener("click", () => openAll(true));
document.getElementById("collapse").addEventListener("click", () => openAll(false));
addEventListener("hashchange", openTarget);
openTarget();
