// The search index of what is kept, made once when a pack arrives: the terms of every passage, and a small vector of it.
import { Lexicon, named } from "./lexicon.js";
import { Model } from "./model.js";
import { terms, useForms, words } from "./tokens.js";

export const FIELDS = ["text", "gloss", "asked", "context"];
const MEANT = 3, STEP = 1000; // the first fields have vectors

/** The index of a shelf, as plain arrays that a browser can keep; `tell` hears how far it is, from 0 to 1. */
export function build(shelf, tell = () => {}) {
  useForms(...shelf.core.forms);
  const lexicon = new Lexicon(shelf.core.labels), model = shelf.core.model && new Model(shelf.core.model, lexicon);
  const fields = FIELDS.map((field) => shelf.rules.flatMap((rule, place) => rule.passages(field).map((text) => [place, text])));
  const passages = fields.flat(), meant = fields.slice(0, MEANT).flat().length;
  const cut = new Cut(lexicon, shelf), postings = new Postings(passages.length), vectors = model?.room(meant) ?? null;
  passages.forEach(([place, text], passage) => {
    const { game } = shelf.rules[place];
    if (passage < meant) {
      const tokens = words(text);
      model?.write(vectors, passage, tokens);
      postings.add(passage, cut.whole(tokens, game));
    } else postings.add(passage, text.split("\n").flatMap((line) => cut.once(line, game)));
    if (!(passage % STEP)) tell(passage / passages.length);
  });
  const ends = fields.reduce((sums, field) => [...sums, sums.at(-1) + field.length], [0]);
  return { ...postings.columns(), vectors, ends, rules: Int32Array.from(passages, ([place]) => place) };
}

/** Cuts passages into terms; titles stand above many rules, and are cut once. */
class Cut {
  constructor(lexicon, shelf) {
    Object.assign(this, { lexicon, core: shelf.core, done: new Map() });
  }

  once(text, game) {
    const key = `${game} ${text}`;
    if (!this.done.has(key)) this.done.set(key, this.whole(words(text), game));
    return this.done.get(key);
  }

  whole = (tokens, game) => [...terms(tokens), ...this.concepts(tokens, game)];

  /** The concept tokens of a text of a game: `c:graveyard`. */
  concepts(tokens, game) {
    const { core } = this, found = this.lexicon.find(tokens), own = core.schemes.includes(game);
    const some = named(found, core.common, own ? [game] : []).flatMap(([, concepts]) => concepts);
    const others = core.schemes.filter((scheme) => scheme !== game);
    return (own ? some : some.filter((name) => !others.includes(name.split("/")[0]))).map((name) => `c:${name}`);
  }
}

/** Which passages have a term, and how often, term by term. */
class Postings {
  constructor(passages) {
    Object.assign(this, { terms: new Map(), lengths: new Uint16Array(passages), count: 0, rows: new Int32Array(1 << 20) });
  }

  add(passage, found) {
    const counts = new Map();
    for (const term of found) counts.set(term, (counts.get(term) ?? 0) + 1);
    for (const [term, count] of counts) {
      if (!this.terms.has(term)) this.terms.set(term, this.terms.size);
      this.push(this.terms.get(term), passage, Math.min(count, 255));
    }
    this.lengths[passage] = found.length;
  }

  push(term, passage, often) {
    if (this.count + 3 > this.rows.length) {
      const wider = new Int32Array(this.rows.length * 2);
      wider.set(this.rows);
      this.rows = wider;
    }
    this.rows[this.count++] = term;
    this.rows[this.count++] = passage;
    this.rows[this.count++] = often;
  }

  columns() {
    const { rows, count, lengths, terms: known } = this;
    const starts = new Int32Array(known.size + 1), passages = new Int32Array(count / 3), often = new Uint8Array(count / 3);
    for (let at = 0; at < count; at += 3) starts[rows[at] + 1] += 1;
    for (let term = 0; term < known.size; term += 1) starts[term + 1] += starts[term];
    const next = starts.slice();
    for (let at = 0; at < count; at += 3) {
      const place = next[rows[at]]++;
      passages[place] = rows[at + 1];
      often[place] = rows[at + 2];
    }
    return { words: [...known.keys()].join("\n"), starts, passages, often, lengths };
  }
}
