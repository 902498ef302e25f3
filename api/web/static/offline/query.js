// What a question asks: its terms, the concepts it names, the games it is about, the numbers in it (search/query/query.py).
import { behind, calling, named, shares } from "./lexicon.js";
import { narrow, terms, words } from "./tokens.js";

const RULE = "floor floor/rule", COMPARED = "floor floor/difference", SHORTEST = 4;
const NUMBER = /(?<![a-z0-9.-])(?:\d{1,4}(?:[.-]\d+)+[a-z]{0,2}|\d{3}[a-z]{0,2})(?:-\d+)?(?![a-z0-9]|[.-]\d)/g;
const ENDS = new Set(" \t?？!！.。、，,:：~〜～…\"“”「」『』《》‘’'");

/** Reads a question. `games` limits it to those games, whatever it names. */
export function understand(text, { lexicon, index, core, definitions }, games = []) {
  const tokens = words(text), found = lexicon.find(tokens);
  const said = [...new Set(found.flatMap((one) => behind("game:", one)))], about = games.length ? games : said;
  const kept = without(tokens, found), corrected = slips(kept.filter((token) => !names(token, tokens, found)), index);
  const read = kept.map((token) => right(token, corrected));
  const weights = new Map([...terms(read).map((term) => [term, 1]), ...[...corrected.values()].map((term) => [term, core.settings.typo_weight])]);
  const concepts = [...new Set(named(lexicon.find(read), core.common, about).flatMap(([, some]) => some))];
  for (const concept of concepts) weights.set(`c:${concept}`, core.settings.concept_weight);
  const asked = left(text, tokens, kept), asking = tokens.filter((_, place) => !says(found, place));
  const numbers = [...new Set(narrow(text).toLowerCase().match(NUMBER) ?? [])];
  return {
    text, tokens, terms: weights, concepts, corrected, numbers, asked, games: about,
    elsewhere: found.filter((one) => !behind("game:", one).length).flatMap((one) => behind("elsewhere:", one).slice(0, 1)),
    numbersOnly: numbers.length > 0 && asking.every(({ norm }) => /^\p{Nd}/u.test(norm)),
    namesOnly: said.length > 0 && !games.length && !asking.length,
    gameTerms: shares(found, core.common),
    defining: defining(asked, corrected, lexicon, core, about, definitions),
  };
}

const inside = (one, place) => one.first <= place && place < one.last;
const means = (one) => one.values.some((value) => value.includes(" "));
const names = (token, tokens, found) => found.some((one) => behind("game:", one).length && inside(one, tokens.indexOf(token)));
const says = (found, place) =>
  found.some((one) => inside(one, place) && (behind("game:", one).length || one.values.includes(RULE)));
const right = (token, corrected) => (corrected.has(token.norm) ? { ...token, norm: corrected.get(token.norm) } : token);

/** The words but those that only say which game is meant, or ask to compare; all of them where nothing else is left. */
function without(tokens, found) {
  const idle = found.filter((one) => (behind("game:", one).length && !means(one)) || one.values.includes(COMPARED));
  const kept = tokens.filter((_, place) => !idle.some((one) => inside(one, place)));
  return kept.length ? kept : tokens;
}

function left(text, tokens, kept) {
  const gone = tokens.filter((token) => !kept.includes(token));
  const parts = gone.reduceRight((rest, { start, end }) => rest.slice(0, start) + " ".repeat(end - start) + rest.slice(end), text);
  return parts.split(/\s+/).filter(Boolean).join(" ");
}

/** Words of Latin script that no passage has → the nearest word that one has. */
function slips(tokens, index) {
  const unknown = tokens.filter(({ norm, cjk }) => !cjk && norm.length >= SHORTEST && /^\p{L}+$/u.test(norm) && !index.has(norm));
  const near = [...new Set(unknown.map(({ norm }) => norm))].map((norm) => [norm, index.nearest(norm)]);
  return new Map(near.filter(([, word]) => word));
}

/** Of what a text asks what it is: [concept or key of a name, the games that call it so] (search/query/query.py). */
function defining(asked, corrected, lexicon, core, games, definitions) {
  for (const subject of subjects(asked, core.definitions)) {
    const tokens = words(subject).map((token) => right(token, corrected));
    const key = `=${tokens.map(({ norm }) => norm).join(" ")}`;
    const told = [...whole(tokens, lexicon, core, games), ...(definitions.has(key) ? [[key, []]] : [])];
    if (told.length) return told;
  }
  return [];
}

/** The concepts that some words stand for as a whole, with the games that call them so, of those that are asked. */
function whole(tokens, lexicon, core, games) {
  const [one, some] = named(lexicon.find(tokens), core.common, games).find(([{ first, last }]) => last - first === tokens.length) ?? [];
  const own = (concept) => calling(one.values, concept, core.common).filter((game) => !games.length || games.includes(game));
  return one ? asAWhole(some, tokens, lexicon, core).map((concept) => [concept, own(concept)]) : [];
}

function asAWhole(some, tokens, lexicon, core) {
  const parts = [tokens.slice(0, -1), tokens.slice(1)].filter((part) => !(part.length === 1 && part[0].cjk));
  const said = new Set(parts.flatMap((part) => named(lexicon.find(part), core.common).flatMap(([, concepts]) => concepts)));
  const own = some.filter((concept) => !said.has(concept));
  return own.length ? own : some;
}

function subjects(text, patterns) {
  const bare = stripped(text);
  const found = patterns.map((pattern) => stripped(new RegExp(pattern, "iu").exec(bare)?.groups.term ?? ""));
  return [...new Set([bare, ...found])].filter(Boolean);
}

function stripped(text) {
  const characters = [...text], first = characters.findIndex((one) => !ENDS.has(one));
  return first < 0 ? "" : characters.slice(first, characters.findLastIndex((one) => !ENDS.has(one)) + 1).join("");
}
