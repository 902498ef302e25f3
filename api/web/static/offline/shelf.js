// The packs that were kept, put together: the rules of all games by place, with what stands around each.
import { words } from "./tokens.js";
import { Lexicon } from "./lexicon.js";
import { roots } from "./sections.js";

const LEAD = 120, HEADINGS = new Set(["chapter", "section"]), ORDER = ["en", "zh-Hans", "ja", "zh-Hant"];
const OTHER = { "zh-Hans": "zh-Hant", "zh-Hant": "zh-Hans" };

/** The languages that a reader of one can mostly read: that one, and the other script of Chinese. */
export const readable = (lang) => [...new Set([lang, OTHER[lang] ?? lang])];
/** The languages to read something in: those, then the rest. */
export const fallback = (lang) => [...new Set([...readable(lang), ...ORDER])];
/** What there is in the first of some languages that has it, as [language, value]. */
export const best = (lang, there) => fallback(lang).filter((one) => there[one]).map((one) => [one, there[one]])[0] ?? [];

export class Rule {
  constructor(shelf, frame, words_, local, offset) {
    Object.assign(this, { shelf, frame, words: words_, local, offset, place: offset + local, game: frame.game });
    Object.assign(this, { locator: frame.locator[local], number: frame.number[local], kind: frame.kind[local] });
    Object.assign(this, { edition: frame.editions[frame.edition[local]], group: offset + frame.group[local] });
    this.parent = frame.parent[local] < 0 ? -1 : offset + frame.parent[local];
    this.cites = (frame.cites[local] ?? []).map((one) => offset + one);
    this.current = !frame.stale.includes(local);
    this.path = `${this.game}/${this.edition.book}/${this.edition.edition}/${this.locator}`;
    this.read = Object.values(words_).some((one) => one.text[local]);
  }

  get name() { return (this.number ?? this.locator).replace(/\.$/, ""); }
  get isHeading() { return HEADINGS.has(this.kind); }
  texts = () => this.each((one) => one.text[this.local]);
  glosses = () => this.each((one) => one.gloss[this.local]);
  examples = () => this.each((one) => one.example[this.local]);
  others = () => this.each((one) => one.other[this.local]);
  titles = () => this.each((one) => one.titles[one.title[this.local]]);
  headwords = () => this.each((one) => one.headword[this.local]);

  each(of) {
    return Object.fromEntries(Object.entries(this.words).map(([lang, one]) => [lang, of(one)]).filter(([, value]) => value?.length !== 0 && value));
  }

  /** What of it is searched, as search/index/passages.py has it. */
  passages(field) {
    const langs = Object.keys(this.words).sort();
    if (field === "asked") return langs.flatMap((lang) => this.words[lang].asked[this.local] ?? []);
    return langs.map((lang) => this[field](lang)).filter((text) => text !== null && text !== undefined);
  }

  text(lang) {
    const own = this.texts()[lang];
    return own && [own.text, ...own.asides.map(([, text]) => text)].join("\n");
  }

  gloss(lang) {
    const own = this.glosses()[lang];
    return own ? [own, this.examples()[lang]].filter(Boolean).join("\n") : this.others()[lang]?.[0];
  }

  context(lang) {
    const titles = this.titles()[lang], headword = this.headwords()[lang];
    if (!titles && !headword) return null;
    const above = this.parent < 0 ? null : this.shelf.rules[this.parent], text = above?.kind === "rule" ? above.texts()[lang]?.text : null;
    return [...(titles ?? []), text?.slice(0, LEAD).replaceAll("\n", " "), headword, this.number].filter(Boolean).join("\n");
  }
}

export class Shelf {
  /** `parts`: pack by its name. */
  constructor(parts) {
    this.core = { ...parts.core, model: parts.model?.tokens ? parts.model : null };
    this.shared = Object.fromEntries(own(parts, "all"));
    this.rules = [];
    this.frames = Object.values(parts).filter((part) => part.locator);
    this.starts = new Map();
    for (const frame of this.frames) this.add(frame, Object.fromEntries(own(parts, frame.game)));
    this.settle();
  }

  add(frame, words_) {
    const offset = this.rules.length;
    this.starts.set(frame.game, offset);
    frame.locator.forEach((_, local) => this.rules.push(new Rule(this, frame, words_, local, offset)));
    for (const local of frame.variant) this.rules[offset + local].variant = true;
  }

  settle() {
    this.paths = new Map(this.rules.map((rule) => [rule.path, rule.place]));
    this.numbered = grouped(this.rules.filter((rule) => rule.number), (rule) => rule.locator);
    this.members = grouped(this.rules.toSorted((one, other) => other.current - one.current || one.frame.edition[one.local] - other.frame.edition[other.local]), (rule) => rule.group);
    this.children = grouped(this.rules.filter((rule) => rule.parent >= 0), (rule) => rule.parent);
    this.definitions = new Map();
    this.counterparts = new Map();
    roots(this.rules).forEach((root, place) => Object.assign(this.rules[place], { root }));
    this.sections = grouped(this.rules, (rule) => rule.root);
    for (const rule of this.rules) Object.assign(rule, { section: this.up(rule), whole: this.wholeOf(rule) });
    for (const frame of this.frames) this.relate(frame, this.starts.get(frame.game));
  }

  relate(frame, offset) {
    for (const [concept, lists] of Object.entries(frame.definitions)) {
      const told = lists.map((places) => places.map((place) => offset + place));
      this.definitions.set(concept, [...(this.definitions.get(concept) ?? []), ...told]);
    }
    frame.counterparts.forEach(([local, path, predicate, share], row) => {
      const place = this.paths.get(path), { group } = this.rules[offset + local];
      if (place === undefined) return;
      const one = { group: this.rules[place].group, place, predicate, share, row, frame };
      this.counterparts.set(group, [...(this.counterparts.get(group) ?? []), one]);
    });
  }

  /** The nearest heading above a rule, or -1. */
  up(rule) {
    let place = rule.parent;
    while (place >= 0 && !this.rules[place].isHeading) place = this.rules[place].parent;
    return place;
  }

  /** The rule that a rule is a part of, of however many levels. */
  wholeOf(rule) {
    let one = rule;
    while (one.parent >= 0 && !this.rules[one.parent].isHeading) one = this.rules[one.parent];
    return one.place;
  }

  /** The rules before and after one in its edition. */
  beside(rule, step) {
    const other = this.rules[rule.place + step];
    return other?.game === rule.game && other.edition === rule.edition ? other : null;
  }

  namesVariant(tokens) {
    this.variantWords ??= new Lexicon(Object.fromEntries(this.core.variants.map((word) => [words(word).map(({ norm }) => norm).join(" "), ["variant"]])));
    return this.variantWords.find(tokens).length > 0;
  }

  /** What is kept of a concept, by language. */
  concept(name) {
    const game = name.includes("/") ? name.split("/")[0] : null;
    const packs = game ? this.frames.filter((frame) => frame.game === game).flatMap(() => this.rules[this.starts.get(game)]?.words ?? []) : [this.shared];
    return Object.fromEntries(packs.flatMap((one) => Object.entries(one)).map(([lang, pack]) => [lang, pack.concepts[name]]).filter(([, body]) => body));
  }
}

const own = (parts, game) =>
  Object.keys(parts).filter((name) => name.startsWith(`${game}.`)).map((name) => [parts[name].lang, parts[name]]);

function grouped(rules, key) {
  const found = new Map();
  for (const rule of rules) {
    if (!found.has(key(rule))) found.set(key(rule), []);
    found.get(key(rule)).push(rule.place);
  }
  return found;
}

