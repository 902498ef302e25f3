// English words without their endings, as the Snowball stemmer "english" (Porter2) has them: exiled, exiles and exile are one.
// Written after its description, https://snowballstem.org/algorithms/english/stemmer.html; tests hold it against the server's.
const WHOLE = new Map(Object.entries({
  skis: "ski", skies: "sky", idly: "idl", gently: "gentl", ugly: "ugli", early: "earli", only: "onli", singly: "singl",
  sky: "sky", news: "news", howe: "howe", atlas: "atlas", cosmos: "cosmos", bias: "bias", andes: "andes",
}));
const NAMES = /^(?:proceed|exceed|succeed|inning|outing|canning|herring|earring|evening)$/;
const REGION = /^(?:gener|commun|arsen|past|univers|later|emerg|organ|inter)/;
const BEFORE_LY = /[cdeghkmnrt]$/;
const SECOND = table({
  tional: "tion", enci: "ence", anci: "ance", abli: "able", entli: "ent", izer: "ize", ization: "ize", ational: "ate", ation: "ate",
  ator: "ate", alism: "al", aliti: "al", alli: "al", fulness: "ful", ousli: "ous", ousness: "ous", iveness: "ive", iviti: "ive",
  biliti: "ble", bli: "ble", ogi: "og", ogist: "og", fulli: "ful", lessli: "less", li: "",
});
const THIRD = table({ tional: "tion", ational: "ate", alize: "al", icate: "ic", iciti: "ic", ical: "ic", ful: "", ness: "", ative: "" });
const FOURTH = table(Object.fromEntries(
  "al ance ence er ic able ible ant ement ment ent ism ate iti ous ive ize ion".split(" ").map((ending) => [ending, ""])));

function table(endings) {
  return Object.entries(endings).sort(([one], [other]) => other.length - one.length);
}

/** A word in lower case and without accents → its stem. */
export function stem(word) {
  if (WHOLE.has(word)) return WHOLE.get(word);
  if (word.length < 3) return word;
  const marked = word.replace(/^'/, "").replace(/^y/, "Y").replace(/([aeiouy])y/g, "$1Y"); // there a consonant
  const [first, second] = regions(marked);
  let left = plural(marked);
  if (NAMES.test(left)) return left;
  left = past(left, first).replace(/(?<=.[^aeiouy])[yY]$/, "i");
  left = ended(left, SECOND, first, (ending, base) => (ending === "li" ? BEFORE_LY.test(base) : ending !== "ogi" || base.endsWith("l")));
  left = ended(left, THIRD, first, (ending, base) => ending !== "ative" || base.length >= second);
  left = ended(left, FOURTH, second, (ending, base) => ending !== "ion" || /[st]$/.test(base));
  return last(left, first, second).replaceAll("Y", "y");
}

/** Where the parts of a word begin in which endings may be taken off. */
function regions(word) {
  const after = (from) => {
    const found = /[aeiouy][^aeiouy]/.exec(word.slice(from));
    return found ? from + found.index + 2 : word.length;
  };
  const first = REGION.exec(word)?.[0].length ?? after(0);
  return [first, after(first)];
}

function plural(word) {
  const bare = word.replace(/(?:'s'|'s|')$/, "");
  if (bare.endsWith("sses")) return bare.slice(0, -2);
  if (/ie[ds]$/.test(bare)) return bare.slice(0, bare.length > 4 ? -2 : -1);
  return /[aeiouy].+s$/.test(bare) && !/[us]s$/.test(bare) ? bare.slice(0, -1) : bare;
}

function past(word, first) {
  const needed = /eed(?:ly)?$/.exec(word);
  if (needed) return needed.index >= first ? `${word.slice(0, needed.index)}ee` : word;
  const ending = /(?:ed|ing)(?:ly)?$/.exec(word), base = ending && word.slice(0, ending.index);
  if (ending && ending[0] === "ing" && /^[^aeiouy]y$/.test(base)) return `${base[0]}ie`;
  if (!ending || !/[aeiouy]/.test(base)) return word;
  if (/(?:at|bl|iz)$/.test(base)) return `${base}e`;
  if (/(?:bb|dd|ff|gg|mm|nn|pp|rr|tt)$/.test(base)) return /^[aeo]..$/.test(base) ? base : base.slice(0, -1);
  return base.length <= first && isShort(base) ? `${base}e` : base;
}

/** Whether a word ends in a short syllable. */
function isShort(word) {
  return /[^aeiouy][aeiouy][^aeiouywxY]$/.test(word) || /^[aeiouy][^aeiouy]$|past$/.test(word);
}

/** A word with the longest of some endings replaced, where that begins in a region and may be. */
function ended(word, endings, region, may) {
  const found = endings.find(([ending]) => word.endsWith(ending));
  if (!found) return word;
  const base = word.slice(0, word.length - found[0].length);
  return base.length >= region && may(found[0], base) ? base + found[1] : word;
}

function last(word, first, second) {
  const base = word.slice(0, -1);
  if (word.endsWith("e") && (base.length >= second || (base.length >= first && !isShort(base)))) return base;
  return word.endsWith("ll") && base.length >= second ? base : word;
}
