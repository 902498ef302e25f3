// What words mean, small: a vector for every token, that of a text is the direction of their sum (search/encode/encoder.py).
import { named } from "./lexicon.js";
import { terms } from "./tokens.js";

const REFERENCE = 3, TOP = 127, ZERO = "h".charCodeAt(0);

export class Model {
  /** `packed` holds tokens, the first for all that is not known, and a row of levels, a letter each, with a scale. */
  constructor({ tokens, size, levels, scales }, lexicon) {
    Object.assign(this, { size, lexicon, known: new Map(tokens.split("\n").map((token, place) => [token, place])) });
    this.rows = new Float32Array(levels.length);
    for (let at = 0; at < levels.length; at += 1) this.rows[at] = (levels.charCodeAt(at) - ZERO) * scales[Math.floor(at / size)];
  }

  room = (texts) => new Int8Array(texts * this.size);

  /** The vector of some words, of unit length; all zeros where none of their tokens is known. */
  of(own) {
    const { size, rows } = this, sum = new Float32Array(size), seen = new Set();
    for (const token of this.tokens(own)) {
      const place = this.known.get(token);
      if (place === undefined || seen.has(place)) continue;
      seen.add(place);
      for (let one = 0, at = place * size; one < size; one += 1, at += 1) sum[one] += rows[at];
    }
    let length = 0;
    for (let one = 0; one < size; one += 1) length += sum[one] * sum[one];
    for (let one = 0; one < size; one += 1) sum[one] /= Math.sqrt(length) || 1;
    return sum;
  }

  /** Writes the vector of some words in 8 bits, of any length, into its place among others. */
  write(vectors, place, own) {
    const vector = this.of(own);
    let top = 1e-9;
    for (let one = 0; one < this.size; one += 1) top = Math.max(top, Math.abs(vector[one]));
    for (let one = 0, at = place * this.size; one < this.size; one += 1, at += 1) vectors[at] = Math.round((vector[one] / top) * TOP);
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
