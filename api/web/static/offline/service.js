// The service worker: pages come from the network; where there is none, the page that shows what is kept. Before it the server
// writes VERSION, FILES and LANGS.
const CACHE = `rulestone-${VERSION}`, PATIENCE = 6000, LANG = "/offline/lang";
const shell = (lang) => `/offline?lang=${lang}`;

addEventListener("install", (event) => event.waitUntil(kept().then(() => skipWaiting())));
addEventListener("activate", (event) => event.waitUntil(Promise.all([swept(), registration.navigationPreload?.enable()]).then(() => clients.claim())));
addEventListener("fetch", (event) => {
  const { request } = event, url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== location.origin) return;
  if (request.mode === "navigate") event.respondWith(page(event));
  else if (url.pathname.startsWith("/static/")) event.respondWith(file(request));
});

async function kept() {
  const cache = await caches.open(CACHE);
  await cache.addAll([...FILES, ...LANGS.map(shell)].map((path) => new Request(path, { cache: "reload" })));
}

async function swept() {
  const names = await caches.keys(), old = names.filter((name) => name.startsWith("rulestone-") && name !== CACHE);
  const lang = await (await caches.match(LANG))?.text();
  await Promise.all(old.map((name) => caches.delete(name)));
  if (lang) await remember(lang);
}

async function file(request) {
  return (await caches.match(request)) ?? fetch(request);
}

/** A page from the network; without one, or where it is as good as none, the page of what is kept. */
async function page(event) {
  let waited;
  const late = new Promise((_, fail) => { waited = setTimeout(() => fail(new Error("late")), PATIENCE); });
  try {
    const answer = await Promise.race([late, Promise.resolve(event.preloadResponse).then((early) => early ?? fetch(event.request))]);
    if (answer.status >= 502 && answer.status <= 504) throw new Error(String(answer.status));
    const lang = answer.headers.get("content-language");
    if (lang && answer.ok) event.waitUntil(remember(lang));
    return answer;
  } catch {
    return offline();
  } finally {
    clearTimeout(waited);
  }
}

async function offline() {
  const lang = last ?? await (await caches.match(LANG))?.text();  // it may still be being written
  return (lang && (await caches.match(shell(lang)))) || (await caches.match(shell("en"))) || Response.error();
}

let last;
/** The language that pages are read in: the page without a network is in it too. */
async function remember(lang) {
  if (lang === last) return;
  last = lang;
  await (await caches.open(CACHE)).put(LANG, new Response(lang));
}
