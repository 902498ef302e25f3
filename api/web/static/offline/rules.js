// Rules, parts of books and answers on the offline page.
import { sections } from "./sections.js";
import { best, readable } from "./shelf.js";
import { address, data, element, game, lang, linked, marked, piece, said, to } from "./show.js";
import { words } from "./tokens.js";

const HITS = 10, START = 48, LEEWAY = 5;

const TITLE = 48, CJK_TITLE = 24, CJK = /[\u3040-\u30ff\u3400-\u9fff]/;

/** A heading on one line; the text of a rule that serves as heading is cut, as `title_line` in api/labels.py does. */
function titleLine(title) {
  const line = title.split(/\s+/).filter(Boolean).join(" "), most = CJK.test(line) ? CJK_TITLE : TITLE;
  if (line.length <= most) return line;
  const words = most === CJK_TITLE ? "" : line.slice(0, Math.max(line.slice(0, most + 1).lastIndexOf(" "), 0));
  return words ? `${words} …` : `${line.slice(0, most)}…`;
}

const titlesOf = (rule) => {
  const [tag, titles] = best(lang, rule.titles());
  return [tag, titles?.map(titleLine)];
};
const ways = (shelf, places) => places.map((place) => element("a", { of: "cite", href: address(shelf.rules[place].path), translate: "no" }, shelf.rules[place].locator));
const badge = (rank) => piece(rank ? `authority-${rank}` : "authority-none");
const edition = (rule) => data(`${rule.edition.book} ${rule.edition.edition}`, "edition");
const glossOf = (rule) => {
  const [tag, words_] = best(lang, rule.glosses());
  return tag ? [piece("gloss", { words: said(tag, words_) })] : null;
};

function meta(rule, rank) {
  return [piece(rule.current ? "current" : "superseded"), " ", badge(rank), " ", edition(rule)];
}

/** A rule's words in the reader's language where they are kept, else in another. */
function own(rule) {
  const [tag, text] = best(lang, rule.texts());
  return { tag, text };
}

export function rulePage(shelf, rule) {
  const { tag, text } = own(rule), [titled, titles] = titlesOf(rule), above = shelf.rules[rule.parent];
  const counterparts = shelf.counterparts.get(rule.group) ?? [];
  const citedBy = shelf.rules.filter((one) => one.cites.includes(rule.place)).map(({ place }) => place);
  const before = shelf.beside(rule, -1), after = shelf.beside(rule, 1);
  return piece("rule", {
    book: data(`${rule.game.toUpperCase()} ${rule.edition.book} ${rule.edition.edition}`),
    bookway: address(`${rule.game}/${rule.edition.book}/${rule.edition.edition}`),
    trail: titles?.length ? said(titled, titles.join(" › ")) : null,
    game: game(rule.game, shelf.core.games),
    number: rule.name,
    meta: meta(rule, text?.authority),
    headword: best(lang, rule.headwords())[1] ? said(...best(lang, rule.headwords())) : null,
    words: text ? element("div", { lang: tag }, element("p", { of: "text" }, ...linked(text.text, text.cites)), ...text.asides.map(([, one]) => element("p", { of: "aside" }, one))) : null,
    unloaded: text ? null : "",
    gloss: glossOf(rule),
    parts: list(shelf, shelf.children.get(rule.place) ?? []),
    counterparts: counterparts.map((one) => counterpart(shelf, one)),
    cites: ways(shelf, rule.cites),
    citedby: ways(shelf, citedBy),
    previous: before && data(before.locator, "number"), previousway: before && address(before.path),
    up: above && data(above.locator, "number"), upway: above && address(above.path),
    next: after && data(after.locator, "number"), nextway: after && address(after.path),
  });
}

function counterpart(shelf, { place, row, frame }) {
  const rule = shelf.rules[place], differs = Object.fromEntries(Object.entries(shelf.rules[shelf.starts.get(frame.game)].words).map(([tag, one]) => [tag, one.differs[row]]));
  const [tag, comment] = best(lang, differs);
  const line = element("span", { of: "line" }, game(rule.game, shelf.core.games), " ", ...ways(shelf, [place]));
  return element("li", {}, line, tag ? said(tag, comment, "differs") : null);
}

/** Some rules, each with its number and its words in short. */
export function list(shelf, places) {
  return places.map((place) => {
    const rule = shelf.rules[place], { tag, text } = own(rule), [glossed, gloss] = best(lang, rule.glosses());
    const shown = text ? said(tag, text.text) : glossed ? said(glossed, gloss, "glossed") : null;
    return element("li", {}, element("a", { of: "number", href: address(rule.path), translate: "no" }, rule.name), shown);
  });
}

/** The hits, or the nearest of them where it does not answer the question. */
export function answers(shelf, query, hits, answered) {
  const slips = [...query.corrected].map(([typed, taken]) => piece("corrected", { typed: data(typed), taken: data(taken) }));
  return piece("answers", {
    corrected: slips,
    sections: answered ? sections(hits, shelf).map((one, nth) => section(shelf, one, nth, query)) : null,
    hits: answered ? hits.slice(0, HITS).map(({ place }) => hit(shelf, shelf.rules[place], query)) : null,
    nearest: answered || !hits.length ? null : nearest(shelf, shelf.rules[hits[0].place]),
    none: hits.length ? null : "",
  });
}

/** A section as templates/sections.html has it: the first open, the others by their heading; parts of a number in question are found. */
function section(shelf, { root, marked: found }, nth, { numbers, numbersOnly }) {
  const isAsked = (rule) => Boolean(rule) && (numbers.includes(rule.locator) || isAsked(shelf.rules[rule.parent]));
  const first = shelf.rules[root], members = shelf.sections.get(root).map((place) => shelf.rules[place]);
  const below = members.filter((rule) => rule !== first || !first.isHeading), worded = below.map(own).find(({ text }) => text);
  return piece(nth ? "further" : "section", {
    way: address(first.path),
    heading: heading(first),
    game: game(first.game, shelf.core.games),
    meta: meta(first, worded?.text.authority),
    rules: below.map((rule) => part(rule, (numbersOnly && isAsked(rule)) || found.includes(rule.place))),
  });
}

/** The titles above a rule; for a heading, with its own; its number where there are none. */
function heading(rule) {
  const [titled, titles] = titlesOf(rule), path = titles?.length ? [said(titled, titles.join(" › "))] : [], { tag, words: title } = shown(rule);
  if (rule.isHeading && title) path.push(said(tag, titleLine([rule.number, title].filter(Boolean).join(" "))));
  return path.length ? path.flatMap((one, nth) => (nth ? [" › ", one] : [one])) : data(rule.name, "number");
}

/** A rule of a section: whole where it was found, else by its first words, which open. */
function part(rule, found) {
  const { tag, words: text, glossed } = shown(rule), way = address(rule.path);
  if (found) return piece("found", { way, number: rule.name, words: said(tag, text, glossed) });
  const characters = [...text], start = characters.length > START + LEEWAY ? `${characters.slice(0, START - 1).join("")}…` : text;
  return piece("around", { way, number: rule.name, name: rule.name, start: said(tag, start), words: element("p", { of: glossed ? `text ${glossed}` : "text", lang: tag }, text) });
}

/** A rule's words, or its gloss where there are none that the reader can read. */
function shown(rule) {
  const { tag, text } = own(rule), [glossed, gloss] = best(lang, rule.glosses()), reads = readable(lang);
  return !text || (reads.includes(glossed) && !reads.includes(tag)) ? { tag: glossed, words: gloss ?? "", glossed: "glossed" } : { tag, words: text.text };
}

function nearest(shelf, rule) {
  const [titled, titles] = titlesOf(rule), link = to(address(rule.path), game(rule.game, shelf.core.games), " ", data(rule.name, "number"));
  return titles?.length ? [link, " ", said(titled, titles.at(-1))] : [link];
}

function hit(shelf, rule, query) {
  const { tag, text } = own(rule), [titled, titles] = titlesOf(rule), [glossed, gloss] = best(lang, rule.glosses());
  const counterparts = (shelf.counterparts.get(rule.group) ?? []).map((one) => counterpart(shelf, one));
  return piece("hit", {
    way: address(rule.path),
    game: game(rule.game, shelf.core.games),
    number: rule.name,
    meta: meta(rule, text?.authority),
    path: titles?.length ? said(titled, titles.join(" › ")) : null,
    words: text ? element("p", { of: "text", lang: tag }, ...marked(text.text, spans(text.text, query))) : null,
    gloss: glossed ? [piece("gloss", { words: element("span", { lang: glossed }, ...marked(gloss, spans(gloss, query))) })] : null,
    counterparts,
  });
}

/** Where a text has words of the question, or two neighbouring characters of it. */
function spans(text, query) {
  const tokens = words(text), found = [];
  tokens.forEach((token, at) => {
    if (!token.cjk && token.norm.length > 1 && query.terms.has(token.norm)) found.push([token.start, token.end]);
    const before = tokens[at - 1];
    if (token.cjk && before?.cjk && before.end === token.start && query.terms.has(before.norm + token.norm)) {
      if (found.at(-1)?.[1] === before.end) found.at(-1)[1] = token.end;
      else found.push([before.start, token.end]);
    }
  });
  return found;
}

/** The contents of an edition, or a part of it with everything under it. */
export function bookPage(shelf, path, place) {
  const [slug, book, name] = path.split("/"), own_ = shelf.rules.filter((rule) => rule.path.startsWith(`${slug}/${book}/${name}/`));
  if (!own_.length) return null;
  const under = place === undefined ? own_.filter((rule) => rule.parent < 0).map((rule) => rule.place) : [place, ...below(shelf, place)];
  return piece("book", { game: game(slug, shelf.core.games), title: data(own_[0].edition.title), edition: data(`${book} ${name}`), rules: list(shelf, under) });
}

const below = (shelf, place) => (shelf.children.get(place) ?? []).flatMap((one) => [one, ...below(shelf, one)]);

export function keptPage(shelf, state) {
  const books = state.editions.map(({ game: slug, book, edition: name, title }) =>
    element("li", {}, to(address(`${slug}/${book}/${name}`), game(slug, shelf.core.games), data(title ?? book, "title"), data(name, "edition"))));
  return piece("home", { books });
}
