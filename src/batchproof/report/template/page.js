"use strict";
// Without this script the page shows the same; it only finds, opens, and keeps the filter in the address.
const rows = [...document.querySelectorAll(".r")];
const groups = [...document.querySelectorAll(".group")];
const boxes = [...document.querySelectorAll('.filter input[type="checkbox"]')];
const checkedAtFirst = new Map(boxes.map((box) => [box, box.checked]));
const search = document.getElementById("search");
const words = new Map();
const wordsOf = (row) => {
  if (!words.has(row)) words.set(row, row.textContent.toLowerCase());
  return words.get(row);
};
const copied = (button, done) => {
  button.textContent = done ? "Copied" : "Selected";
  setTimeout(() => (button.textContent = "Copy"), 2000);
};
const copy = (button) => {
  const code = button.previousElementSibling;
  getSelection().selectAllChildren(code);
  if (!navigator.clipboard) return copied(button, document.execCommand("copy"));
  navigator.clipboard.writeText(code.textContent).then(() => copied(button, true), () => copied(button, document.execCommand("copy")));
};
for (const button of document.querySelectorAll("button.copy")) button.addEventListener("click", () => copy(button));
const openAll = (open) => {
  for (const part of document.querySelectorAll(".r:not([hidden]) details")) part.open = open;
};
const verdictOf = (box) => box.id.replace("show-", "");
const show = () => {
  const wanted = search.value.toLowerCase().split(/\s+/).filter(Boolean);
  const hidden = new Set(boxes.filter((box) => !box.checked).map(verdictOf));
  for (const row of rows) {
    row.hidden = [...row.classList].some((name) => hidden.has(name)) || !wanted.every((word) => wordsOf(row).includes(word));
  }
  for (const group of groups) group.hidden = !group.querySelector(".r:not([hidden])");
  for (const part of document.querySelectorAll(".feature, .area")) part.hidden = !part.querySelector(".group:not([hidden])");
  if (wanted.length) for (const fold of document.querySelectorAll("details.fold")) fold.open = true;
  const nothing = document.querySelector(".nothing");
  if (nothing) nothing.hidden = rows.some((row) => !row.hidden);
};
const keep = () => {
  const kept = new URLSearchParams();
  if (boxes.some((box) => box.checked !== checkedAtFirst.get(box))) {
    kept.set("show", boxes.filter((box) => box.checked).map(verdictOf).join(" "));
  }
  if (search.value) kept.set("words", search.value);
  history.replaceState(null, "", kept.size ? `#${kept}` : location.pathname + location.search);
};
const changed = () => {
  show();
  keep();
};
const restore = (kept) => {
  const shown = kept.has("show") ? new Set(kept.get("show").split(" ")) : null;
  for (const box of boxes) box.checked = shown ? shown.has(verdictOf(box)) : checkedAtFirst.get(box);
  search.value = kept.get("words") ?? "";
  show();
};
const reveal = (target) => {
  for (let part = target; part; part = part.parentElement) {
    if (part.tagName === "DETAILS") part.open = true;
  }
  const row = target.closest(".r");
  if (!row) return;
  if (row.hidden) restore(new URLSearchParams());
  if (row.hidden) {
    for (const box of boxes) box.checked = true;
    show();
  }
  const more = row.querySelector("details");
  if (more) more.open = true;
};
const follow = () => {
  const hash = location.hash.slice(1);
  if (hash.includes("=")) {
    restore(new URLSearchParams(hash));
    document.getElementById("requirements")?.scrollIntoView();
    return;
  }
  let target = null;
  try {
    target = document.getElementById(decodeURIComponent(hash));
  } catch {
    return;
  }
  if (!target) return;
  reveal(target);
  target.scrollIntoView();
};
document.querySelector(".filter").addEventListener("submit", (event) => event.preventDefault());
for (const part of document.querySelectorAll(".scripted:not(.nothing)")) part.hidden = false;
search.addEventListener("input", changed);
for (const box of boxes) box.addEventListener("change", changed);
document.getElementById("expand").addEventListener("click", () => openAll(true));
document.getElementById("collapse").addEventListener("click", () => openAll(false));
addEventListener("hashchange", follow);
show();
follow();
