// The words of a text for matching, as the server cuts them (corpus/words/tokens.py): stemmed words of Latin script, numbers with the
// numbers above them, Japanese and Chinese characters and pairs of them, each character in one form.
import { stem } from "./stem.js";

const CJK = "\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029\u3031-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff65-\uff9f";
const WORD = new RegExp(
  `(?<cjk>[${CJK}]+)|(?<number>\\p{Nd}+(?:[.\\-]\\p{Nd}+)*(?:[a-z]{1,2}(?![a-z]))?)`
  + "|(?<latin>[a-z\u00aa-\u024f\u0300-\u1fff\ufb00-\ufb06]+)(?:['’]s(?![a-z]))?", "giu");
const CHARACTER = /[\uff66-\uff9f][\uff9e\uff9f]?|.[\u3099\u309a]?/gu;
const MARKED = /[\uff66-\uff9f\u3099\u309a]/;
const JOINT = /^(?:[ \t&/'’\-‐–・･=＝]+|\n)$/;
const WIDE = /[\uff01-\uff5e\u00a0\u3000\u202f\u205f\u2000-\u200a]/g;

const forms = new Map(), plain = new Map(), stems = new Map();

/** Which character stands for which in matching: two strings of the same length, forms and the ones that they are compared in. */
export function useForms(from, to) {
  const meant = [...to];
  [...from].forEach((form, place) => forms.set(form, meant[place]));
  plain.clear();
}

/** Full-width ASCII and rare spaces made plain, one character for one. */
export const narrow = (text) =>
  text.replace(WIDE, (one) => (one >= "\uff01" && one <= "\uff5e" ? String.fromCharCode(one.charCodeAt(0) - 0xfee0) : " "));

/** The words of a text in order, as { norm, start, end, cjk, opens }; `opens`: no phrase runs on into it. Offsets are UTF-16's. */
export function words(text) {
  const tokens = [], straight = narrow(text);
  let last = 0;
  for (const match of straight.matchAll(WORD)) {
    const start = match.index, { cjk, number, latin } = match.groups;
    if (latin && !stemmed(latin)) continue; // accents alone, without a letter to stand on
    const between = straight.slice(last, start), opens = start > last && between !== " " && !JOINT.test(between);
    last = start + match[0].length;
    if (cjk) characters(tokens, cjk, start, opens);
    else if (number) tokens.push({ norm: number.toLowerCase(), start, end: last, cjk: false, opens });
    else tokens.push({ norm: stemmed(latin), start, end: start + latin.length, cjk: false, opens });
  }
  return tokens;
}

function characters(tokens, run, start, opens) {
  const pieces = MARKED.test(run) ? run.match(CHARACTER) : run;
  let at = start;
  for (const one of pieces) {
    tokens.push({ norm: plainOf(one), start: at, end: (at += one.length), cjk: true, opens: opens && at === start + one.length });
  }
}

function plainOf(one) {
  if (!plain.has(one)) {
    const norm = one.normalize("NFKC");
    plain.set(one, forms.get(norm) ?? norm);
  }
  return plain.get(one);
}

function stemmed(word) {
  if (!stems.has(word)) stems.set(word, stem(word.toLowerCase().normalize("NFKD").replace(/\p{Mn}/gu, "")));
  return stems.get(word);
}

/** What is looked for: words, numbers and the numbers above them (400.7d also as 400.7 and 400), characters and pairs of them. */
export function terms(tokens) {
  const found = [];
  let before = null;
  for (const token of tokens) {
    if (token.cjk && before?.cjk && before.end === token.start) found.push(before.norm + token.norm);
    found.push(token.norm);
    if (/^\p{Nd}/u.test(token.norm)) found.push(...above(token.norm));
    before = token;
  }
  return found;
}

function above(number) {
  let bare = number.replace(/[a-z]+$/, "");
  const found = bare === number ? [] : [bare];
  for (let match; (match = /^(.+)[.-]\p{Nd}+$/u.exec(bare)); ) found.push((bare = match[1]));
  return found;
}
