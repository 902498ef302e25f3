// What words mean, small: a vector for every token, that of a text is the direction of their sum (search/encode/encoder.py).
import { named } from "./lexicon.js";
import { terms } from "./tokens.js";

const REFERENCE = 3, TOP = 127;
const MOST = 4, LEVELS = 2 * MOST + 1, FIRST = "#".charCodeAt(0), LEFT_OUT = "\\".charCodeAt(0);

export class Model {
  /** Tokens, the first for all that is not known; the levels of all of them number by number, two a letter; a scale for each. */
  constructor({ tokens, size, levels, scales }, lexicon) {
    Object.assign(this, { size, lexicon, known: new Map(tokens.split("\n").map((token, place) => [token, place])) });
    this.sum = new Int32Array(size);
    this.rows = new Int16Array(size * scales.length);
    for (let pair = 0; pair < levels.length; pair += 1) {
      const letter = levels.charCodeAt(pair), both = letter - FIRST - (letter > LEFT_OUT);
      this.put(2 * pair, Math.floor(both / LEVELS) - MOST, scales);
      this.put(2 * pair + 1, (both % LEVELS) - MOST, scales);
    }
  }

  /** Takes over a level; they come a column after the other. */
  put(at, level, scales) {
    const token = at % scales.length;
    this.rows[token * this.size + (at - token) / scales.length] = level * scales[token];
  }

  room = (texts) => new Int8Array(texts * this.size);

  /** The direction of some words in 8 bits; all zeros where none of their tokens is known. */
  of(own) {
    const vector = this.room(1);
    this.write(vector, 0, own);
    return vector;
  }

  /** Writes that into its place among others. */
  write(vectors, place, own) {
    const { size, sum } = this;
    sum.fill(0);
    for (const token of new Set(this.tokens(own))) {
      const found = this.known.get(token);
      if (found !== undefined) this.add(found * size);
    }
    let top = 1;
    for (let one = 0; one < size; one += 1) top = Math.max(top, Math.abs(sum[one]));
    for (let one = 0, at = place * size; one < size; one += 1, at += 1) vectors[at] = Math.round((sum[one] / top) * TOP);
  }

  add(row) {
    const { rows, sum, size } = this;
    for (let one = 0, at = row; one < size; one += 1, at += 1) sum[one] += rows[at];
  }

  /** Terms, pairs of Latin words and concepts; numbers of rules are left out: they say where, not what. */
  tokens(all) {
    const own = all.filter(({ norm }) => !(/^\p{Nd}/u.test(norm) && norm.length >= REFERENCE)), pairs = [];
    own.forEach((token, at) => {
      if (at && !token.cjk && !own[at - 1].cjk && !token.opens) pairs.push(`${own[at - 1].norm}_${token.norm}`);
    });
    return [...terms(own), ...pairs, ...named(this.lexicon.find(own)).flatMap(([, concepts]) => concepts.map((name) => `c:${name}`))];
  }
}
