// The longest label at each place of a text, and the concepts that labels name: corpus/words/lexicon.py, search/index/concept_tokens.py.
export class Lexicon {
  /** `rows`: the words of each label, separated by spaces → what it stands for; "" is nothing. */
  constructor(rows) {
    this.trie = new Map();
    for (const [phrase, values] of Object.entries(rows)) {
      let node = this.trie;
      for (const word of phrase.split(" ")) {
        if (!node.has(word)) node.set(word, new Map());
        node = node.get(word);
      }
      node.set("", values);
    }
  }

  /** The labels in a text from left to right, as { first, last, start, end, values }; they do not overlap. */
  find(tokens) {
    const found = [];
    for (let place = 0; place < tokens.length; ) {
      let node = this.trie.get(tokens[place].norm), at = place + 1, last = at, values = node?.get("");
      while (node && at < tokens.length && !tokens[at].opens && (node = node.get(tokens[at].norm))) {
        at += 1;
        if (node.has("")) [last, values] = [at, node.get("")];
      }
      if (values && values.join() !== "") {
        found.push({ first: place, last, start: tokens[place].start, end: tokens[last - 1].end, values });
      }
      place = values ? last : place + 1;
    }
    return found;
  }
}

/** What the labels of a text name: [label, concepts] in some games (none: in all). `common` are the schemes of every game. */
export function named(found, common = [], games = []) {
  return found.map((one) => [one, ofGames(one.values, common, games)]).filter(([, concepts]) => concepts.length);
}

function ofGames(values, common, games) {
  const pairs = values.filter((value) => value.includes(" ")).map((value) => value.split(" "));
  const own = pairs.filter(([scheme]) => !games.length || games.includes(scheme) || common.includes(scheme));
  return [...new Set(own.map(([, name]) => name))];
}

/** The games that call a concept so themselves; none where it is a word of all games. */
export function calling(values, concept, common) {
  const pairs = values.filter((value) => value.includes(" ")).map((value) => value.split(" "));
  return pairs.filter(([scheme, name]) => name === concept && !common.includes(scheme)).map(([scheme]) => scheme);
}

/** Game → how many of some labels it has for its own: of one that several have a share, of a word of all games nothing. */
export function shares(found, common) {
  const told = new Map();
  for (const { values } of found) {
    const schemes = [...new Set(values.filter((value) => value.includes(" ")).map((value) => value.split(" ")[0]))].sort();
    if (schemes.some((scheme) => common.includes(scheme))) continue;
    for (const game of schemes) told.set(game, (told.get(game) ?? 0) + 1 / schemes.length);
  }
  return told;
}

/** What stands behind a mark among the values of a label: the games that it names (`game:`), the languages that it is a word of. */
export const behind = (mark, found) => found.values.filter((value) => value.startsWith(mark)).map((value) => value.slice(mark.length));
