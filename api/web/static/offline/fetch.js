// Fetches packs, checks that each is whole, has their index made, and only then puts them in the place of what was kept.
import { script } from "../trusted.js";
import { replace } from "./store.js";

/** What the server has: { bundle, parts: [{ name, game, lang, size, digest }] }. */
export async function offered() {
  const answer = await fetch("/pack", { cache: "no-cache" });
  if (!answer.ok) throw new Error(String(answer.status));
  return answer.json();
}

/** The packs that some games in some languages need. */
export const wanted = ({ parts }, games, langs) =>
  parts.filter(({ game, lang }) => (!game || games.includes(game)) && (!lang || langs.includes(lang)));

/** Keeps some games in some languages; `tell` hears how far it is, from 0 to 1. */
export async function keep(list, games, langs, tell) {
  const rows = wanted(list, games, langs), total = rows.reduce((sum, { size }) => sum + size, 0), parts = {};
  let done = 0;
  for (const { name, size, digest } of rows) {
    parts[name] = await whole(`/pack/${encodeURIComponent(list.bundle)}/${encodeURIComponent(name)}`, digest);
    done += size;
    tell((done / total) * 0.6);
  }
  const index = await indexed(parts, (share) => tell(0.6 + share * 0.35));
  const state = { bundle: list.bundle, games, langs, when: new Date().toISOString(), editions: editions(parts), digests: digests(rows) };
  await replace(state, parts, index);
  await navigator.storage?.persist?.();
  tell(1);
}

export const digests = (rows) => Object.fromEntries(rows.map(({ name, digest }) => [name, digest]));

/** A pack as text. What was cut off, or is of another bundle, is refused. */
async function whole(address, digest) {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(String(answer.status));
  const bytes = await answer.arrayBuffer(), sum = await crypto.subtle.digest("SHA-256", bytes);
  if ([...new Uint8Array(sum)].map((byte) => byte.toString(16).padStart(2, "0")).join("") !== digest) throw new Error("cut off");
  return new TextDecoder().decode(bytes);
}

function indexed(parts, tell) {
  return new Promise((done, fail) => {
    const worker = new Worker(script(new URL("work.js", import.meta.url).pathname), { type: "module" });
    worker.onmessage = ({ data }) => {
      if (data.share !== undefined) return tell(data.share);
      worker.terminate();
      done(data.index);
    };
    worker.onerror = (fault) => { worker.terminate(); fail(fault); };
    worker.postMessage(parts);
  });
}

function editions(parts) {
  const frames = Object.entries(parts).filter(([name]) => !["core", "model"].includes(name) && !name.includes("."));
  return frames.flatMap(([game, text]) => JSON.parse(text).editions.map(({ book, edition, title }) => ({ game, book, edition, title })));
}
