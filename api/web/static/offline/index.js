// The index of a pack, opened: what a term is worth in each passage, and which passages are near (search/index/bm25.py).
import { stem } from "./stem.js";

const LEAST = 1e-6, LONG = 8, MOST = 8, STEPS = 4096;
const ENDINGS = " s es d ed ing e er ers y ly ness ment ion ions able al ate ates ated ating ation".split(" ");
const DOUBLING = ["ed", "ing", "er"];
const GLOSS = 1, ASKED = 2, MEANT = 3;

export class Index {
  /** `kept` is what `build` made, `settings` those of ranking. */
  constructor(kept, settings, count) {
    const { vectors, ...columns } = kept;
    Object.assign(this, columns, { settings, count, total: kept.lengths.length });
    Object.assign(this, { askedShare: powers(settings.coverage_power), asksElse: powers(settings.question_coverage_power) });
    if (vectors) this.open(vectors, vectors.length / kept.ends[MEANT]);
    this.known = new Map(kept.words.split("\n").map((term, place) => [term, place]));
    this.weigh();
  }

  open(vectors, size) {
    this.vectors = vectors;
    this.norms = Float32Array.from({ length: vectors.length / size }, (_, passage) => norm(vectors, passage * size, size));
  }

  /** Worth of each term in each passage, how rare it is (in the field where it is commonest), how much a passage holds in all. */
  weigh() {
    const { starts, passages, often, lengths, ends, known, total } = this, size = known.size, { bm25_k1: k1, bm25_b: b } = this.settings;
    const field = new Uint8Array(total), means = [], held = new Int32Array(4);
    for (let one = 0; one < 4; one += 1) {
      field.fill(one, ends[one], ends[one + 1]);
      const own = lengths.subarray(ends[one], ends[one + 1]);
      means.push(own.reduce((sum, length) => sum + length, 0) / Math.max(own.length, 1) || 1);
    }
    const norms = Float32Array.from(lengths, (length, passage) => k1 * (1 - b + (b * length) / means[field[passage]]));
    Object.assign(this, { worth: new Float32Array(passages.length), rarity: new Float32Array(size), mass: new Float32Array(total) });
    for (let term = 0; term < size; term += 1) {
      held.fill(0);
      for (let at = starts[term]; at < starts[term + 1]; at += 1) held[field[passages[at]]] += 1;
      let share = 0.5 / Math.max(total, 1);
      for (let one = 0; one < 4; one += 1) share = Math.max(share, held[one] / Math.max(ends[one + 1] - ends[one], 1));
      const rarity = -Math.log(share);
      this.rarity[term] = rarity;
      for (let at = starts[term]; at < starts[term + 1]; at += 1) {
        const passage = passages[at];
        this.worth[at] = (rarity * often[at]) / (often[at] + norms[passage]);
        this.mass[passage] += rarity;
      }
    }
  }

  has = (term) => this.known.has(term);
  rarityOf = (term) => (this.known.has(term) ? this.rarity[this.known.get(term)] : Math.log(2 * Math.max(this.total, 1)));
  /** Whether a passage of any rule, of those that a test accepts, has a term. */
  holding(term, accepts) {
    const place = this.known.get(term);
    for (let at = this.starts[place], end = this.starts[place + 1]; at < end; at += 1) if (accepts(this.rules[this.passages[at]])) return true;
    return false;
  }

  many = (term) => (this.known.has(term) ? this.starts[this.known.get(term) + 1] - this.starts[this.known.get(term)] : 0);

  /** The score of every passage for weighted terms: less where little of what is asked is held, or where a question asks much else. */
  scores(weights) {
    const { settings, ends, mass, starts, passages, worth, total } = this, found = new Float32Array(total), held = new Float32Array(total);
    let asked = 0;
    for (const [term, weight] of weights) {
      const weighed = weight * this.rarityOf(term), place = this.known.get(term);
      asked += weighed;
      for (let at = starts[place], end = starts[place + 1]; at < end; at += 1) { // none where it is not known
        const passage = passages[at];
        found[passage] += weight * worth[at];
        held[passage] += weighed;
      }
    }
    const first = ends[ASKED], last = ends[ASKED + 1], most = Math.max(asked, LEAST);
    for (let passage = 0; passage < total; passage += 1) {
      const part = held[passage];
      if (!part) continue;
      if (passage >= first && passage < last) found[passage] *= settings.question_weight * this.asksElse(Math.min(part / Math.max(mass[passage], LEAST), 1));
      found[passage] *= this.askedShare(Math.min(part / most, 1));
    }
    return found;
  }

  /** How near each passage that has a vector is to one, from 0 to 1. */
  cosines(vector) {
    const { norms, vectors } = this, size = vector.length, found = new Float32Array(norms.length), own = norm(vector, 0, size);
    for (let passage = 0, at = 0; passage < found.length; passage += 1) {
      let product = 0;
      for (let one = 0; one < size; one += 1, at += 1) product = (product + Math.imul(vector[one], vectors[at])) | 0;
      if (product > 0) found[passage] = product / (own * norms[passage]);
    }
    return found;
  }

  /** Field by field the score of each rule's best passage; 0 for a rule without any. */
  best(scores) {
    const { ends, rules } = this;
    return [0, 1, 2, 3].map((field) => {
      const found = new Float32Array(this.count), end = Math.min(ends[field + 1], scores.length);
      for (let passage = ends[field]; passage < end; passage += 1) {
        const score = scores[passage], rule = rules[passage];
        if (score > found[rule]) found[rule] = score;
      }
      return found;
    });
  }

  hasGloss = (rule) => this.rules.subarray(this.ends[GLOSS], this.ends[GLOSS + 1]).includes(rule);

  /** The words that a mistyped one may be meant for, as { term, word, slips, many }, the likeliest first (search/index/spelling.py). */
  corrections(typed) {
    const most = typed.length < LONG ? 1 : 2, found = new Map();
    const every = [...this.beginning(typed[0])].filter(([word]) => Math.abs(word.length - typed.length) <= most)
      .map(([word, term]) => ({ term, word, slips: distance(typed, word, most), many: this.many(term) }))
      .filter(({ slips }) => slips <= most).sort((one, other) => sooner(one, other));
    for (const one of every) if (!found.has(one.term)) found.set(one.term, one);
    return [...found.values()].slice(0, MOST);
  }

  beginning(letter) {
    this.latin ??= new Map();
    if (!this.latin.has(letter)) {
      const own = [...this.known.keys()].filter((term) => term[0] === letter && /^[a-z]{3,}$/.test(term));
      this.latin.set(letter, new Map(own.flatMap((term) => whole(term).map((word) => [word, term]))));
    }
    return this.latin.get(letter);
  }
}

function whole(term) {
  const made = [...ENDINGS.map((ending) => term + ending), term.replace(/i$/, "y"), ...DOUBLING.map((ending) => term + term.at(-1) + ending)];
  const words = [...new Set(made)].filter((word) => stem(word) === term);
  return words.length ? words : [term];
}

const sooner = (one, other) =>
  one.slips - other.slips || other.many - one.many || other.word.length - one.word.length || (one.word < other.word ? -1 : 1);

/** Shares, from 0 to 1, to some power: read off a table, for every passage with a word of the question has one. */
function powers(exponent) {
  const table = Float64Array.from({ length: STEPS + 2 }, (_, step) => (step / STEPS) ** exponent);
  return (share) => {
    const at = share * STEPS, step = Math.trunc(at);
    return table[step] + (table[step + 1] - table[step]) * (at - step);
  };
}

/** The length of the vector that begins at a place among others. */
function norm(vectors, at, size) {
  let sum = 0;
  for (let one = at; one < at + size; one += 1) sum += vectors[one] * vectors[one];
  return Math.sqrt(sum) || 1;
}

/** Letters to change, leave out, put in or swap between two words (optimal string alignment); more than `most` is `most` + 1. */
export function distance(one, other, most) {
  let [before, last] = [[], Array.from({ length: other.length + 1 }, (_, place) => place)];
  for (let at = 1; at <= one.length; at += 1) {
    const row = [at];
    for (let to = 1; to <= other.length; to += 1) {
      const same = one[at - 1] === other[to - 1];
      row[to] = Math.min(last[to] + 1, row[to - 1] + 1, last[to - 1] + !same);
      if (at > 1 && to > 1 && one[at - 1] === other[to - 2] && one[at - 2] === other[to - 1]) row[to] = Math.min(row[to], before[to - 2] + 1);
    }
    if (Math.min(...row) > most) return most + 1;
    [before, last] = [last, row];
  }
  return last[other.length];
}
