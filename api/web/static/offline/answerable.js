// Whether what is kept answers a question, as search/rank/answerability.py computes it for libraries without sentence embeddings.
import { named } from "./lexicon.js";
import { words } from "./tokens.js";

const TOP = 3, TEN = 10, MOST = 50;

/** Whether ranked rules answer a question: by a number, by a definition, else by the probability of the classifier. */
export function answers(query, hits, made, vector) {
  if (!hits.length) return false;
  const { shelf } = made, first = shelf.rules[hits[0].place], members = shelf.members.get(first.group);
  if (members.some((place) => query.numbers.includes(shelf.rules[place].locator))) return true;
  if (query.numbersOnly) return false;
  const defining = query.defining.flatMap(([concept, games]) => (shelf.definitions.get(concept) ?? []).filter(([place]) => !games.length || games.includes(shelf.rules[place].game)));
  return defining.flat().some((place) => members.includes(place)) || probability(query, hits, made, vector) >= made.core.answerability.minimum;
}

/** The probability that the first hits answer a question; `vector` is that of the question, null without a model. */
export function probability(query, hits, made, vector) {
  const { bias, weights } = made.core.answerability, found = features(query, hits, made, vector);
  const logit = Object.entries(weights).reduce((sum, [name, weight]) => sum + weight * found[name], bias);
  return 1 / (1 + Math.exp(-Math.max(-MOST, Math.min(MOST, logit))));
}

function features(query, hits, { shelf, index, core, lexicon, model }, vector) {
  const { rules } = shelf, allowed = (place) => !query.games.length || query.games.includes(rules[place].game);
  const first = hits[0].place, worth = new Map([...query.terms].map(([term, weight]) => [term, weight * index.rarityOf(term)]));
  const held = (places) => new Set([...worth.keys()].filter((term) => index.holding(term, (place) => places.includes(place))));
  const share = (terms, all = worth.keys()) => sum([...all].filter((term) => terms.has(term)).map((term) => worth.get(term)));
  const inRule = held([first]), concepts = [...worth.keys()].filter((term) => term.startsWith("c:"));
  const absent = new Set([...worth.keys()].filter((term) => !index.holding(term, allowed)));
  const total = share(new Set(worth.keys())) || 1, named_ = share(new Set(concepts)), gameNamed = Number(query.games.length > 0);
  const near = vector ? index.best(index.cosines(vector)) : null, [text, gloss, asked] = near ? near.map((field) => field[first]) : [0, 0, 0];
  const glossed = Number(index.hasGloss(first)), cosine = Math.max(text, gloss, asked);
  const foreign = glossed && gameNamed && isForeign(query, { lexicon, core, index, allowed }) ? 1 : 0;
  return {
    coverage: share(inRule) / total,
    top_coverage: share(held(hits.slice(0, TOP).map(({ place }) => place))) / total,
    concept_coverage: named_ ? share(inRule, concepts) / named_ : 0.5,
    missing_concept: Math.max(0, ...concepts.filter((term) => !inRule.has(term)).map((term) => worth.get(term))) / index.rarityOf(""),
    absent: share(absent) / total,
    absent_if_game_named: (share(absent) / total) * gameNamed,
    foreign,
    length: Math.log(total),
    static_cosine: cosine,
    static_cosine_if_glossed: cosine * glossed,
    literal_cosine: Math.max(text, gloss),
    agreement: near ? agreement(index.best(index.scores(query.terms)), near, shelf, allowed) : 0,
    out_of_scope_static: vector ? outside(vector, model, shelf) : 0,
    glossed,
    game_named: gameNamed,
    rules: Math.log(Math.max(shelf.members.size / core.answerability.rules, 1)),
  };
}

const sum = (values) => values.reduce((all, one) => all + one, 0);

/** Whether a question that names a game also has a term that only other games use. */
function isForeign({ tokens, games, terms }, { lexicon, core, index, allowed }) {
  const found = lexicon.find(tokens), own = new Set(named(found, core.common, games).map(([{ first }]) => first));
  const others = named(found, core.common).filter(([{ first }]) => !own.has(first)).flatMap(([, concepts]) => concepts.map((name) => `c:${name}`));
  return [...others, ...[...terms.keys()].filter((term) => term.startsWith("c:"))].some((term) => !index.holding(term, allowed));
}

/** The share of the first ten rules that words and vectors have in common. */
function agreement(words_, near, { rules }, allowed) {
  const ten = (fields) => {
    const best = fields.reduce((most, field) => most.map((one, place) => Math.max(one, field[place])));
    const order = [...best.keys()].filter((place) => best[place] > 0 && !rules[place].isHeading && allowed(place));
    return new Set(order.sort((one, other) => best[other] - best[one] || one - other).slice(0, TEN).map((place) => rules[place].group));
  };
  const one = ten(words_), other = ten(near);
  return [...one].filter((group) => other.has(group)).length / TEN;
}

/** How near a question is to the nearest of the topics that no rulebook answers. */
function outside(vector, model, shelf) {
  const games = new Set(shelf.frames.map(({ game }) => game));
  const examples = shelf.core.answerability.examples.filter(([game]) => !games.has(game));
  return Math.max(0, ...examples.map(([, text]) => cosine(vector, model.of(words(text)))));
}

function cosine(one, other) {
  const dot = (left, right) => left.reduce((all, value, at) => all + value * right[at], 0);
  return dot(one, other) / (Math.sqrt(dot(one, one) * dot(other, other)) || 1);
}
