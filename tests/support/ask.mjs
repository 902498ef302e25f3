// Asks the search of the offline pages outside a browser: JSON on standard input and output.
// In: { static, packs: name → JSON, texts: […], questions: [[words, games], …] }. Out: { cut, built, roots, questions }, milliseconds.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const given = JSON.parse(readFileSync(0, "utf-8")), at = (name) => import(pathToFileURL(`${given.static}/offline/${name}.js`).href);
const { Shelf } = await at("shelf"), { build } = await at("build"), { Index } = await at("index"), { Lexicon } = await at("lexicon");
const { Model } = await at("model"), { answers, probability } = await at("answerable"), { rank } = await at("rank"), { sections } = await at("sections"), { understand } = await at("query"), { terms, useForms, words } = await at("tokens");

const parts = Object.fromEntries(Object.entries(given.packs).map(([name, text]) => [name, JSON.parse(text)]));
useForms(...parts.core.forms);
const cut = given.texts.map((text) => { const tokens = words(text); return [terms(tokens), tokens.map(({ start, end, opens }) => [start, end, opens])]; });

const begun = performance.now(), shelf = new Shelf(parts), kept = given.questions.length ? build(shelf) : null, built = performance.now() - begun;
const lexicon = new Lexicon(parts.core.labels), index = kept && new Index(kept, parts.core.settings, shelf.rules.length);
const model = shelf.core.model && new Model(shelf.core.model, lexicon);
const path = (place) => shelf.rules[place].path, paths = (hits) => hits.slice(0, 10).map(({ place }) => path(place));

const questions = given.questions.map(([question, games]) => {
  const start = performance.now(), query = understand(question, { lexicon, index, core: parts.core, definitions: shelf.definitions, shelf }, games);
  const vector = model?.of(words(query.asked)), hits = rank(query, shelf, index, vector), made = { shelf, lexicon, index, core: parts.core, model };
  const answered = answers(query, hits, made, vector), took = performance.now() - start;
  const { numbers, namedNumbers, concepts, defining, asked, corrected } = query;
  return {
    numbers, named_numbers: namedNumbers, concepts, defining, asked, games: query.games, corrected: Object.fromEntries(corrected), terms: Object.fromEntries(query.terms),
    answered, probability: hits.length ? probability(query, hits, made, vector) : 0, hits: paths(hits), words: paths(rank(query, shelf, index, null)), took,
    sections: sections(hits, shelf).map(({ root, marked }) => [path(root), marked.map(path)]),
  };
});
const roots = Object.fromEntries(shelf.rules.map((rule) => [rule.path, path(rule.root)]));
process.stdout.write(JSON.stringify({ cut, built, roots, questions }));
