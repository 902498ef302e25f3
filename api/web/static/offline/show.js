// Pieces of the offline page filled in: the page holds every sentence, in templates with slots.
const page = document.documentElement.lang;

export const lang = page;

/** A template's content with its slots filled: words, nodes or lists of nodes; null takes the slot's element away, "" leaves
 *  what it says; what stands `data-with` a slot goes with it. */
export function piece(name, slots = {}) {
  const made = document.querySelector(`template#${name}`).content.cloneNode(true);
  for (const slot of made.querySelectorAll("[data-slot]")) {
    const value = slots[slot.dataset.slot];
    slot.removeAttribute("data-slot");
    if (value === null || value === undefined || (Array.isArray(value) && !value.length)) slot.remove();
    else if (value !== "") fill(slot, Array.isArray(value) ? value : [value]);
  }
  for (const way of made.querySelectorAll("[data-way]")) lead(way, slots[way.dataset.way]);
  for (const part of made.querySelectorAll("[data-with]")) if (part.dataset.filled === undefined) part.remove();
  return made;
}

function fill(slot, nodes) {
  const around = slot.closest("[data-with]");
  if (around) around.dataset.filled = "";
  slot.replaceChildren(...nodes);
}

function lead(way, address) {
  way.removeAttribute("data-way");
  if (address) way.href = address;
  else way.replaceWith(document.createElement("span"));
}

/** An element with a class, words or nodes in it, and attributes. */
export function element(tag, { of, ...attributes } = {}, ...children) {
  const made = document.createElement(tag);
  if (of) made.className = of;
  for (const [name, value] of Object.entries(attributes)) if (value !== null && value !== undefined) made.setAttribute(name, value);
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

export const said = (language, words, of) => element("span", { lang: language, of }, words);
export const data = (words, of) => element("span", { translate: "no", of }, words);
export const to = (path, ...children) => element("a", { href: path }, ...children);
export const address = (path) => `/id/${path.split("/").map(encodeURIComponent).join("/").replaceAll("%40", "@").replaceAll("%3A", ":")}`;

export function game(slug, names) {
  const known = names[slug] ?? {};
  return element("abbr", { of: "game", translate: "no", title: known[page] ?? known.en ?? slug }, slug.length <= 4 ? slug.toUpperCase() : slug);
}

/** Words with some spans of them marked. */
export function marked(words, spans) {
  const parts = [];
  let at = 0;
  for (const [start, end] of spans.toSorted((one, other) => one[0] - other[0])) {
    if (start < at) continue;
    parts.push(words.slice(at, start), element("mark", {}, words.slice(start, end)));
    at = end;
  }
  return [...parts, words.slice(at)];
}

/** Words with ways to the rules that they cite; offsets are of code points. */
export function linked(words, cites) {
  const characters = [...words], parts = [];
  let at = 0;
  for (const [start, end, path] of cites.toSorted((one, other) => one[0] - other[0])) {
    if (start < at) continue;
    parts.push(characters.slice(at, start).join(""), element("a", { of: "cite", href: address(path) }, characters.slice(start, end).join("")));
    at = end;
  }
  return [...parts, characters.slice(at).join("")];
}
