// What a question asks: its terms, the concepts it names, the games it is about, the numbers in it (search/query/query.py).
import { behind, calling, named, shares } from "./lexicon.js";
import { narrow, terms, words } from "./tokens.js";

const RULE = "floor floor/rule", COMPARED = "floor floor/difference", SHORTEST = 4, BESIDE = 5, CLEAR = 4, SHORT = 6;
const NUMBER = /(?<![a-z0-9.-])(?:\d{1,4}(?:[.-]\d+)+[a-z]{0,2}|\d{3}[a-z]{0,2})(?:-\d+)?(?![a-z0-9]|[.-]\d)/g;
const DASH = "\\u2010-\\u2015\\u2212\\u30fc";
const TYPED_DASHES = new RegExp(
  String.raw`(?<![a-z0-9.-])\d{1,2}(?:[-${DASH}]\d{1,2}){2,6}(?![a-z0-9])|(?<=\d)[${DASH}](?=\d{1,3}[a-z]{1,2}(?![a-z0-9]))`, "g");
const LETTER_APART = new RegExp(
  String.raw`(?<apart>[ .\-${DASH}]?)\(?(?<letter>[a-z])\)?(?<parts>(?:\.[a-z]|\.\d{1,2}){0,3})(?![a-z0-9])(?=(?<word> ?[a-z])?)`, "y");
const PART_WORD = /(?:\b(?:section|chapter)|セクション|§)\s*$/i;
const ENDS = new Set(" \t?？!！.。、，,:：~〜～…\"“”「」『』《》‘’'");

/** Reads a question. `games` limits it to those games, whatever it names. */
export function understand(text, made, games = []) {
  const { lexicon, index, core, definitions, shelf } = made;
  const tokens = words(text), found = lexicon.find(tokens);
  const said = [...new Set(found.flatMap((one) => behind("game:", one)))], about = games.length ? games : said;
  const kept = without(tokens, found), corrected = slips(text, kept, found, lexicon, index);
  const read = kept.map((token) => right(token, corrected));
  const weights = new Map([...terms(read).map((term) => [term, 1]), ...[...corrected.values()].flat().map(({ term }) => [term, core.settings.typo_weight])]);
  const concepts = [...new Set(named(lexicon.find(read), core.common, about).flatMap(([one, some]) => meant(text, one, some, core)))];
  for (const concept of concepts) weights.set(`c:${concept}`, core.settings.concept_weight);
  const asked = left(text, tokens, kept, corrected), asking = tokens.filter((_, place) => !says(found, place));
  const isRule = (number) => shelf.numbered.has(number), typedNumbers = numbersIn(text, isRule);
  const numbers = [...new Set(typedNumbers.map(({ number }) => number))];
  const numbersOnly = numbers.length > 0 && areNumbers(asking, typedNumbers);
  const subject = numbers.length > 0 && !numbersOnly && numbersInQuestion(asked, lexicon, core, isRule);
  if (subject) return understand(subject, made, about);
  return {
    text, tokens, terms: weights, concepts, numbers, asked, games: about,
    elsewhere: found.filter((one) => !behind("game:", one).length).flatMap((one) => behind("elsewhere:", one).slice(0, 1)),
    numbersOnly,
    namedNumbers: numbersOnly ? numbers : namedNumbers(text, tokens, found, typedNumbers),
    namesOnly: said.length > 0 && !games.length && !asking.length,
    gameTerms: shares(found, core.common),
    corrected: new Map([...corrected].map(([token, some]) => [typed(text, token), some.map(({ word }) => word).join(" / ")])),
    defining: defining(asked, lexicon, core, about, definitions),
  };
}

/** The possible rule numbers in some words, each with its place; a letter that stands apart only if `isRule` (corpus/reference.py). */
function numbersIn(text, isRule) {
  const plain = narrow(text).toLowerCase().replace(TYPED_DASHES, (typed) => typed.replace(new RegExp(`[${DASH}]`, "g"), "-"));
  return [...plain.matchAll(NUMBER)].map(({ 0: number, index }) => {
    const own = { start: index, end: index + number.length, number };
    return withLetter(plain, own).find((one) => isRule(one.number)) ?? own;
  });
}

function withLetter(plain, { start, end, number }) {
  LETTER_APART.lastIndex = end;
  const { 0: behind, groups } = LETTER_APART.exec(plain) ?? { groups: null };
  if (!groups || (groups.word !== undefined && groups.apart === " " && "ai".includes(groups.letter))) return [];
  const found = (whole) => ({ start, end: end + behind.length, number: whole });
  return [found(`${number}.${groups.letter}${groups.parts}`), ...(groups.parts ? [] : [found(number + groups.letter)])];
}

const areNumbers = (tokens, numbers) =>
  tokens.every(({ norm, start }) => /^\p{Nd}/u.test(norm) || numbers.some((one) => one.start <= start && start < one.end));

/** The numbers in a text, without names of games, that asks what their rules are or say (what does 514 say?). */
function numbersInQuestion(text, lexicon, core, isRule) {
  return subjects(text, [...core.definitions, ...(core.numberQuestions ?? [])]).find((subject) => {
    const tokens = words(subject), found = lexicon.find(tokens), numbers = numbersIn(subject, isRule);
    return numbers.length > 0 && areNumbers(tokens.filter((_, place) => !says(found, place)), numbers);
  });
}

/** The numbers directly behind a word for a rule or a part of the rules: rule 514, section 5.1. */
function namedNumbers(text, tokens, found, numbers) {
  const behindRule = new Set(found.filter(({ values }) => values.includes(RULE)).map(({ last }) => last));
  return tokens
    .filter(({ start }, place) => behindRule.has(place) || PART_WORD.test(text.slice(0, start)))
    .flatMap(({ start }) => numbers.filter((one) => one.start === start).map(({ number }) => number));
}

/** The concepts of a label in the sense of its form: a spell that is countered is no counter (other_senses in search/index/concept_tokens.py). */
function meant(text, { start, end }, some, { senses = {} }) {
  const written = text.slice(start, end).toLowerCase(), others = Object.hasOwn(senses, written) ? senses[written] : [];
  return some.filter((concept) => !others.includes(concept));
}

const inside = (one, place) => one.first <= place && place < one.last;
const means = (one) => one.values.some((value) => value.includes(" "));
const says = (found, place) =>
  found.some((one) => inside(one, place) && (behind("game:", one).length || one.values.includes(RULE)));
const right = (token, corrected) => (corrected.has(token) ? { ...token, norm: corrected.get(token)[0].term } : token);

/** The words but those that only say which game is meant, or ask to compare; all of them where nothing else is left. */
function without(tokens, found) {
  const idle = found.filter((one) => (behind("game:", one).length && !means(one)) || one.values.includes(COMPARED));
  const kept = tokens.filter((_, place) => !idle.some((one) => inside(one, place)));
  return kept.length ? kept : tokens;
}

function left(text, tokens, kept, corrected) {
  const changed = tokens.filter((token) => corrected.has(token) || !kept.includes(token));
  const instead = (token) => corrected.get(token)?.[0].word ?? " ";
  const parts = changed.reduceRight((rest, token) => rest.slice(0, token.start) + instead(token) + rest.slice(token.end), text);
  return parts.split(/\s+/).filter(Boolean).join(" ");
}

/** Words of Latin script that no passage has → what they are taken for (_corrections in search/query/query.py). */
function slips(text, tokens, found, lexicon, index) {
  const spelled = [...tokens], corrected = new Map();
  tokens.forEach((token, place) => {
    const { norm, cjk, start, end } = token;
    if (cjk || end - start < SHORTEST || !/^\p{L}+$/u.test(norm) || index.has(norm)) return;
    if (found.some((one) => one.start <= start && start < one.end)) return;
    const some = index.corrections(typed(text, token)), labelled = some.find(({ term }) => labels(term, spelled, place, lexicon));
    const likely = isName(text, token) ? [] : some.filter(({ word }) => isLikely(typed(text, token), word));
    if (!labelled && !likely.length) return;
    corrected.set(token, labelled ? [labelled] : likely.slice(0, isClear(likely) ? 1 : 2));
    spelled[place] = { ...token, norm: corrected.get(token)[0].term };
  });
  return corrected;
}

const typed = (text, { start, end }) => text.slice(start, end).toLowerCase().normalize("NFKD").replace(/\p{Mn}/gu, "");
const letters = (word) => [...word].sort().join("");
const isLikely = (word, other) => word.length >= SHORT || word.length !== other.length || letters(word) === letters(other);
const isClear = ([one, other]) => !other || other.slips > one.slips || one.many >= CLEAR * other.many;

function labels(term, tokens, place, lexicon) {
  const around = tokens.slice(Math.max(0, place - BESIDE), place + BESIDE), at = Math.min(place, BESIDE);
  around[at] = { ...around[at], norm: term };
  return lexicon.find(around).some((one) => one.first <= at && at < one.last && one.last > one.first + 1 && means(one));
}

function isName(text, { start, end }) {
  const first = text.slice(start, start + 1), rest = text.slice(0, start) + text.slice(end);
  return /\p{Lu}/u.test(first) && /\p{Ll}/u.test(rest) && text.slice(0, start).trim() !== "";
}

/** Of what a text asks what it is: [concept or key of a name, the games that call it so] (search/query/query.py). */
function defining(asked, lexicon, core, games, definitions) {
  for (const subject of subjects(asked, core.definitions)) {
    const tokens = words(subject);
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
