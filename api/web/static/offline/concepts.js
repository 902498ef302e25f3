// Concepts and the comparison of zones on the offline page.
import { best } from "./shelf.js";
import { address, data, element, game, lang, piece, said, to } from "./show.js";

const LANGUAGES = ["ja", "zh-Hans", "zh-Hant", "en"];
const way = (name) => `/id/concept/${name}`;
const slugOf = (name) => (name.includes("/") ? name.split("/")[0] : null);

function property(shelf, name) {
  const [tag, label] = best(lang, Object.values(shelf.shared)[0]?.properties[name] ?? {});
  return tag ? said(tag, label) : data(name);
}

const value = (shelf, one) => element("span", {}, one.status === "accepted" ? "" : one.status === "disputed" ? "≠ " : "~ ", one.value);

export function conceptPage(shelf, name) {
  const [, body] = best(lang, shelf.concept(name));
  if (!body) return null;
  const properties = Object.entries(body.properties).flatMap(([key, claims]) => [
    element("dt", {}, property(shelf, key)),
    ...claims.map((claim) => element("dd", {}, element("p", { of: "value" }, value(shelf, claim)), claim.note ? element("p", { of: "hint" }, claim.note) : null, proofs(shelf, claim))),
  ]);
  return piece("concept", {
    game: slugOf(name) && game(slugOf(name), shelf.core.games),
    label: said(body.lang ?? "und", body.label),
    names: LANGUAGES.filter((tag) => body.labels[tag]).map((tag) => element("div", {}, element("dt", {}, piece(`language-${tag}`)), element("dd", { lang: tag }, body.labels[tag].join(" · ")))),
    definition: body.definition || null,
    properties,
    matches: body.matches.map(([other, label, tag, predicate, comment]) => element("li", {}, element("span", { of: "line" }, slugOf(other) && game(slugOf(other), shelf.core.games), " ", predicate.startsWith("not ") ? "≠ " : "", to(way(other), said(tag ?? "und", label ?? other))), said(lang, comment, "differs"))),
  });
}

function proofs(shelf, claim) {
  return element("ul", { of: "proofs" }, ...claim.supports.map(([path, quote]) =>
    element("li", {}, game(path.split("/")[0], shelf.core.games), " ", element("a", { of: "cite", href: address(path), translate: "no" }, path.split("/").slice(3).join("/")), " ", element("q", { lang: "und" }, quote))));
}

/** The zones of all kept games with one property, a row for what is alike in several games. */
export function comparePage(shelf, wanted) {
  const zones = shelf.frames.flatMap(({ game: slug }) => zonesOf(shelf, slug));
  const names = [...new Set(zones.flatMap(({ body }) => Object.keys(body.properties)))], about = names.includes(wanted) ? wanted : names[0];
  const games = [...new Set(zones.map(({ slug }) => slug))], rows = new Map();
  for (const zone of zones) {
    const key = zone.body.hub ?? zone.name;
    rows.set(key, (rows.get(key) ?? new Map()).set(zone.slug, zone));
  }
  const isStated = (row) => [...row.values()].some(({ body }) => body.properties[about]?.length);
  const shown = [...rows.values()].filter(isStated).sort((one, other) => (one.size === 1) - (other.size === 1));
  return piece("compare", {
    properties: names.map((name) => element("a", { of: "chip", href: `/compare?property=${name}`, "aria-current": name === about ? "true" : null }, property(shelf, name))),
    games: [element("td"), ...games.map((slug) => element("th", { scope: "col" }, game(slug, shelf.core.games)))],
    rows: shown.map((row) => line(shelf, row, games, about)),
  });
}

function line(shelf, row, games, about) {
  const first = row.values().next().value.body;
  const cells = games.map((slug) => {
    const zone = row.get(slug), claims = zone?.body.properties[about] ?? [];
    const head = { "data-head": slug.length <= 4 ? slug.toUpperCase() : slug };
    if (!claims.length) return element("td", head, piece(zone ? "unsaid" : "nowhere"));
    return element("td", head, element("a", { of: "proof", href: `${way(zone.name)}#${about}` }, ...claims.map((claim) => value(shelf, claim))));
  });
  return element("tr", {}, element("th", { scope: "row" }, said(first.lang ?? "und", first.label)), ...cells);
}

const ZONES = new Set(["zone", "sub-zone", "composite", "not-a-zone"]);

function zonesOf(shelf, slug) {
  const packs = shelf.rules[shelf.starts.get(slug)]?.words ?? {}, [, pack] = best(lang, packs);
  const bodies = Object.entries(pack?.concepts ?? {}).filter(([, { kind, properties }]) => ZONES.has(kind) && Object.keys(properties).length);
  return bodies.map(([name, body]) => ({ slug, name, body }));
}
