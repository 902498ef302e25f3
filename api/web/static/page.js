// What is better alive; every page works without it.
import { suggesting } from "./suggest.js";
import { previewing, unfolding } from "./preview.js";
import { recent } from "./recent.js";
import { actions } from "./actions.js";
import { finding } from "./find.js";

suggesting(document.querySelector(".ask"));
unfolding(document);
previewing(document, document.querySelector("#sheet"));
recent(document.querySelector("#recent"), document.querySelector("#q"));
actions(document, document.querySelector("#toast"));
finding(document.querySelector("[data-find]"), document.querySelector(".reading"));

// Keeping things for use offline is fetched where it is of use.
const section = document.querySelector("#offline"), offer = document.querySelector("#offer");
if (section) import("./offline/keep.js").then(({ keeping }) => keeping(section));
if (keepsSomething()) import("./offline/keep.js").then(({ offering }) => offering(offer));

function keepsSomething() {
  try { return localStorage.getItem("rulestone.kept") !== null; } catch { return false; }
}

// A menu closes where one looks elsewhere, and with Escape.
document.addEventListener("click", (event) => {
  for (const menu of document.querySelectorAll(".top .menu[open]")) if (!menu.contains(event.target)) menu.open = false;
});
document.addEventListener("keydown", (event) => {
  const menu = event.key === "Escape" && document.querySelector(".top .menu[open]");
  if (!menu) return;
  menu.open = false;
  menu.querySelector("summary").focus();
});
// `/` goes to the question, as on many sites.
document.addEventListener("keydown", (event) => {
  if (event.key !== "/" || event.target.closest("input, textarea, select, [contenteditable]")) return;
  event.preventDefault();
  document.querySelector("#q").focus();
});
