// What is kept on this device, in one database: packs as they came, the index made of them, and what they are. One transaction
// replaces all of it: what was there before stays until what comes is whole.
const NAME = "rulestone", STORE = "kept";
export const FORMAT = 4;
const FLAG = "rulestone.kept";

function opened() {
  return new Promise((done, fail) => {
    const asked = indexedDB.open(NAME, 1);
    asked.onupgradeneeded = () => asked.result.createObjectStore(STORE);
    asked.onsuccess = () => done(asked.result);
    asked.onerror = () => fail(asked.error);
  });
}

async function within(mode, work) {
  const database = await opened();
  try {
    return await new Promise((done, fail) => {
      const transaction = database.transaction(STORE, mode), asked = work(transaction.objectStore(STORE));
      transaction.oncomplete = () => done(asked?.result);
      transaction.onerror = transaction.onabort = () => fail(transaction.error);
    });
  } finally {
    database.close();
  }
}

/** What is kept under a name: `state`, `index`, or a pack as text; undefined without it. */
export const read = (name) => within("readonly", (store) => store.get(name));

/** Keeps packs with their index in the place of everything that was there. */
export async function replace(state, parts, index) {
  await within("readwrite", (store) => {
    store.clear();
    store.put({ ...state, format: FORMAT }, "state");
    store.put(index, "index");
    for (const [name, text] of Object.entries(parts)) store.put(text, `part ${name}`);
  });
  localStorage.setItem(FLAG, "1");
}

export async function forget() {
  await within("readwrite", (store) => store.clear());
  localStorage.removeItem(FLAG);
}

/** What is kept, in short: bundle, day, games, languages, editions, names and digests of packs; null where nothing is. */
export async function state() {
  const found = await read("state");
  return found?.format === FORMAT ? found : null;
}

/** The editions that are kept, as citations name them: MTG CR 2025-02-07. */
export const editionNames = ({ editions }) =>
  editions.map(({ game, book, edition }) => `${game} ${book}`.toUpperCase() + ` ${edition}`).join(" · ");

/** The packs that are kept, by name. */
export async function parts(names) {
  const texts = await Promise.all(names.map((name) => read(`part ${name}`)));
  return Object.fromEntries(names.map((name, place) => [name, JSON.parse(texts[place])]));
}
