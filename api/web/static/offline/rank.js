// From a question to rules in order, as search/rank/ranker.py goes: words and small vectors, games on one level, counterparts.
const BEHIND = 0.99, HEADINGS = new Set(["chapter", "section"]);

/** The places of rules for a question, best first, as { place, score, rank, gaveWay }: `rank` is from 0, before parts of one rule
 *  give way to others. `shelf` has the rules, `index` their passages. */
export function rank(query, shelf, index, vector) {
  const { settings } = shelf.core, several = query.games.length !== 1, { rules } = shelf;
  const fields = index.best(index.scores(query.terms)), dense = vector ? index.best(index.cosines(vector)) : null;
  const own = words(fields, settings);
  if (dense) joined(dense, settings.static_fields, settings.static_other_fields).forEach((near, place) => { own[place] += settings.static_weight * near; });
  above(own, shelf, settings);
  const variant = shelf.namesVariant(query.tokens);
  rules.forEach((rule, place) => {
    if (query.games.length && !query.games.includes(rule.game)) own[place] = 0;
    own[place] *= (isHeading(rule) ? settings.heading_weight : 1) * (rule.current ? 1 : settings.superseded_weight);
    own[place] *= !variant && rule.variant ? settings.variant_weight : 1;
  });
  if (several) level(own, dense, query.gameTerms, shelf, settings);
  gain(own, query, shelf, several ? 1 : most(own));
  const scores = lend(own, shelf, settings, several);
  return room(spread(scores, shelf, settings, several), scores, shelf, settings);
}

const isHeading = (rule) => HEADINGS.has(rule.kind);

const most = (scores) => scores.reduce((best, one) => Math.max(best, one), 0);

/** Each rule's best field, and a part of the others. */
function joined(fields, weights, others) {
  const found = new Float32Array(fields[0].length);
  for (let place = 0; place < found.length; place += 1) {
    let best = 0, total = 0;
    for (let field = 0; field < fields.length; field += 1) {
      const part = weights[field] * fields[field][place];
      total += part;
      if (part > best) best = part;
    }
    found[place] = best + others * (total - best);
  }
  return found;
}

function words(fields, settings) {
  const found = joined(fields, settings.bm25_fields, settings.bm25_other_fields), best = most(found);
  return best > 0 ? found.map((one) => one / best) : found;
}

/** What a rule gains of the rule it is a part of and of the title above it. */
function above(own, { rules }, settings) {
  const before = own.slice();
  rules.forEach(({ parent, section }, place) => {
    if (parent >= 0) own[place] += settings.parent_share * before[parent];
    if (section >= 0) own[place] += settings.section_share * before[section];
  });
}

/** Scores as shares of the best of each game, less where another game's words are nearer or terms are its (normalise_by_game in search/rank/ranker.py). */
function level(own, dense, terms, { rules }, settings) {
  const best = new Map(), near = new Map();
  rules.forEach(({ game, read }, place) => {
    best.set(game, Math.max(best.get(game) ?? 0, own[place]));
    if (dense) near.set(game, Math.max(near.get(game) ?? 0, dense[read ? 0 : 1][place]));
  });
  const named = (game) => Math.min(settings.game_term_weight * (terms.get(game) ?? 0), settings.game_term_cap);
  const told = (game) => settings.game_cosine_weights[0] * (near.get(game) ?? 0) + named(game);
  const there = [...best].filter(([, score]) => score > 0).map(([game]) => game);
  const nearest = Math.max(...there.map(told)), factors = new Map(there.map((game) => [game, Math.exp(told(game) - nearest) / best.get(game)]));
  rules.forEach(({ game }, place) => {
    if (own[place] > 0) own[place] *= factors.get(game);
  });
}

/** What rules gain whose number is typed, and those that say what the thing is that is asked of. */
function gain(own, query, { rules, definitions, numbered, core: { settings } }, best) {
  const gained = new Map();
  for (const number of query.numbers) {
    const named = query.namedNumbers.includes(number);
    for (const place of numbered.get(number) ?? []) {
      const exact = isHeading(rules[place]) && (named || !/^\d+$/.test(number));
      gained.set(place, (settings.number_boost * (named ? Math.max(1, best) : 1)) / (exact ? settings.heading_weight : 1));
    }
  }
  const defining = new Map();
  const editions = query.defining.flatMap(([concept, games]) =>
    (definitions.get(concept) ?? []).filter((places) => !games.length || games.includes(rules[places[0]].game)),
  );
  for (const told of editions) {
    told.forEach((place, rank_) => {
      defining.set(place, Math.max(defining.get(place) ?? 0, settings.definition_boost * settings.definition_decay ** rank_));
    });
  }
  for (const place of new Set([...gained.keys(), ...defining.keys()])) {
    const { game, current } = rules[place], weight = (isHeading(rules[place]) ? settings.heading_weight : 1) * (current ? 1 : settings.superseded_weight);
    if (query.games.length && !query.games.includes(game)) continue;
    own[place] += ((gained.get(place) ?? 0) + best * (defining.get(place) ?? 0)) * weight;
  }
}

/** What the first hits cite rises with them, and their counterparts, but never past the hit that lifts them. */
function lend(scores, shelf, settings, several) {
  const raised = scores.slice();
  for (const place of top(scores, settings.candidates).slice(0, settings.propagation_sources)) {
    for (const [targets, share] of lifted(place, shelf, settings, several)) {
      for (const one of targets) {
        const lent = scores[one] > 0 ? share * scores[place] : 0, ceiling = Math.max(scores[one], BEHIND * scores[place]);
        raised[one] = Math.max(raised[one], Math.min(raised[one] + lent, ceiling));
      }
    }
  }
  return raised;
}

function lifted(place, { rules, counterparts, members }, settings, several) {
  const cited = rules[place].cites.map((target) => [[target], settings.citation_share]);
  const others = several ? counterparts.get(rules[place].group) ?? [] : [];
  return [...cited, ...others.map(({ group, share }) => [members.get(group) ?? [], settings.counterpart_share * share])];
}

/** The best places of some scores above 0, in order. */
function top(scores, count) {
  const sorted = scores.slice().sort(), least = Math.max(sorted[Math.max(sorted.length - count, 0)] ?? 0, 0), few = [];
  for (let place = 0; place < scores.length; place += 1) if (scores[place] > 0 && scores[place] >= least) few.push(place);
  return few.sort((one, other) => scores[other] - scores[one] || one - other).slice(0, count);
}

/** One of each group of editions, each game's hits making room for the others'. */
function spread(scores, { rules }, settings, several) {
  const groups = new Set(), counts = new Map(), worth = new Map();
  const order = top(scores, settings.candidates).filter((place) => !groups.has(rules[place].group) && groups.add(rules[place].group));
  for (const place of order) {
    const { game } = rules[place], rank_ = counts.get(game) ?? 0;
    counts.set(game, rank_ + 1);
    worth.set(place, scores[place] * (several ? settings.game_crowding ** rank_ : 1));
  }
  return order.sort((one, other) => worth.get(other) - worth.get(one) || one - other);
}

/** At most so many parts of one rule among so many first; the others give way to them (collapse_siblings in search/rank/ranker.py). */
function room(order, scores, { rules, members }, settings) {
  const kept = [], families = new Map(), gone = new Map();
  for (const place of order) {
    if (kept.length === settings.collapse_depth) break;
    const whole = rules[rules[place].whole].group, family = families.get(whole) ?? [];
    families.set(whole, family);
    if (family.length < settings.max_siblings) {
      family.push(place);
      kept.push(place);
    } else gone.set(family[0], [...(gone.get(family[0]) ?? []), place]);
  }
  const rest = order.filter((place) => !kept.includes(place)), ranks = new Map(order.map((place, nth) => [place, nth]));
  return [...kept, ...rest].map((place) => ({
    place: members.get(rules[place].group)?.[0] ?? place, score: scores[place], rank: ranks.get(place), gaveWay: gone.get(place) ?? [],
  }));
}
