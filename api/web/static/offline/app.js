// The page without a network: it shows what is kept at whatever address is asked for, and goes on without loading anything.
import { answers as isAnswered } from "./answerable.js";
import { conceptPage, comparePage } from "./concepts.js";
import { Index } from "./index.js";
import { Lexicon } from "./lexicon.js";
import { Model } from "./model.js";
import { understand } from "./query.js";
import { rank } from "./rank.js";
import { answers, bookPage, keptPage, rulePage } from "./rules.js";
import { Shelf } from "./shelf.js";
import { piece } from "./show.js";
import { editionNames, parts, read, state } from "./store.js";
import { useForms, words } from "./tokens.js";

const main = document.querySelector("#kept"), input = document.querySelector("#q");
let kept, shelf, searching;

async function opened() {
  kept = await state();
  if (kept) shelf = new Shelf(await parts(Object.keys(kept.digests)));
  const day = kept && new Date(kept.when).toLocaleDateString(document.documentElement.lang, { dateStyle: "long" });
  document.querySelector("#banner").replaceChildren(piece(kept ? "on" : "nothing", { day, editions: kept && editionNames(kept) }));
}

/** What search needs, read when somebody first asks. */
async function engine() {
  const { core, rules } = shelf;
  useForms(...core.forms);
  const lexicon = new Lexicon(core.labels), index = new Index(await read("index"), core.settings, rules.length);
  return { shelf, lexicon, index, core, definitions: shelf.definitions, model: core.model && new Model(core.model, lexicon) };
}

export async function search(question, games) {
  const made = await (searching ??= engine()), query = understand(question, made, games);
  const vector = made.model?.of(words(query.asked));
  const hits = query.namesOnly || (query.elsewhere.length && !query.games.length) ? [] : rank(query, shelf, made.index, vector);
  return [query, hits, isAnswered(query, hits, made, vector)];
}

async function content(url) {
  if (!shelf) return null;
  const path = decodeURIComponent(url.pathname), given = url.searchParams, about = path.replace(/^\/(?:id|read)\//, "");
  if (path === "/" && given.get("q")) return answers(shelf, ...(await search(given.get("q"), given.getAll("game"))));
  if (path === "/" || path === "/library" || path === "/offline") return keptPage(shelf, kept);
  if (path === "/compare") return comparePage(shelf, given.get("property"));
  if (path.startsWith("/id/concept/")) return conceptPage(shelf, path.slice("/id/concept/".length));
  const place = shelf.paths.get(about);
  if (path.startsWith("/id/")) return place === undefined ? bookPage(shelf, about) : rulePage(shelf, shelf.rules[place]);
  return path.startsWith("/read/") && place !== undefined ? bookPage(shelf, about, place) : null;
}

/** Shows the stored page of the current address. Text typed in the meantime is kept; a slower earlier request never replaces it. */
async function show() {
  const url = new URL(location.href);
  input.value = url.searchParams.get("q") ?? "";
  await ready;
  const made = (await content(url)) ?? piece(shelf ? "elsewhere" : "empty");
  if (url.href !== location.href) return;
  main.replaceChildren(made);
  document.title = `${main.querySelector("h1")?.textContent ?? ""} · Rulestone`;
  for (const tab of document.querySelectorAll(".tabs a")) tab.toggleAttribute("aria-current", new URL(tab.href).pathname === url.pathname);
  main.dataset.shown = url.pathname + url.search;
}

function go(address) {
  history.pushState(null, "", address);
  scrollTo(0, 0);
  return show();
}

addEventListener("popstate", show);
document.addEventListener("click", (event) => {
  const way = event.target.closest("a[href]");
  if (!way || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || way.dataset.load !== undefined) return;
  if (new URL(way.href).origin !== location.origin || way.getAttribute("href").startsWith("#")) return;
  event.preventDefault();
  go(way.href);
});
document.querySelector(".ask").addEventListener("submit", (event) => {
  event.preventDefault();
  if (input.value.trim()) go(`/?${new URLSearchParams({ q: input.value.trim() })}`);
});
addEventListener("online", () => { document.querySelector("#online").hidden = false; });

const ready = opened();
show();
