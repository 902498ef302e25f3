// The rules that are read together (corpus/editions/sections.py), and which of these sections answer a question.
const MAX_RULES = 15, MOST = 3, RANKED = 50, MARKED = 10, OFFSET = 3;

/** For each rule, the place of the rule or heading that its section begins with. */
export function roots(rules) {
  const below = new Int32Array(rules.length), narrow = new Int32Array(rules.length).fill(-1), parts = new Int32Array(rules.length);
  const parents = printedParents(rules);
  for (let at = rules.length - 1; at >= 0; at -= 1) {
    if (parents[at] >= 0) below[parents[at]] += below[at] + !rules[at].isHeading;
  }
  return rules.map(({ isHeading, kind }, at) => {
    const parent = parents[at];
    narrow[at] = parent >= 0 ? narrow[parent] : -1;
    if (narrow[at] < 0 && isHeading && below[at] <= MAX_RULES) narrow[at] = at;
    parts[at] = parent < 0 || isHeading || rules[parent].isHeading ? at : parts[parent];
    return kind === "glossary" ? at : narrow[at] < 0 ? parts[at] : narrow[at];
  });
}

/** For each rule, the place of the nearest rule before it that is less deep, -1 without one: the parent where numbers are in order. */
function printedParents(rules) {
  const depths = [], path = [];
  return rules.map(({ parent }, at) => {
    depths.push(parent >= 0 && parent < at ? depths[parent] + 1 : 0);
    path.splice(depths[at]);
    const above = path.at(-1) ?? -1;
    path.push(at);
    return above;
  });
}

/** The best sections of ranked rules, as { root, marked, sum }: that of the best rule, then those with most evidence, the sum of
 *  1 / (rank + 3) of their rules. The server has weights for this (search/rank/sections.py). */
export function sections(hits, { rules, sections: members }) {
  const found = new Map();
  for (const { place, rank } of hits.toSorted((one, other) => one.rank - other.rank).slice(0, RANKED)) {
    const { root } = rules[place];
    if (members.get(root).every((one) => rules[one].isHeading)) continue;
    if (!found.has(root)) found.set(root, { root, marked: [place], sum: 0 });
    else if (rank < MARKED) found.get(root).marked.push(place);
    found.get(root).sum += 1 / (rank + OFFSET);
  }
  const [first, ...others] = found.values();
  return first ? [first, ...others.sort((one, other) => other.sum - one.sum)].slice(0, MOST) : [];
}
