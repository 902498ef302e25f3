// The choice of what to keep for use offline: games and languages, their size, and what is kept already.
import { script } from "../trusted.js";
import { digests, keep, offered, wanted } from "./fetch.js";
import { fallback } from "./shelf.js";
import { editionNames, forget, state } from "./store.js";

/** Why nothing can be kept here; null where it can. */
export const why = () =>
  !window.isSecureContext ? "insecure" : !("serviceWorker" in navigator) || !window.indexedDB ? "unable" : null;

export async function keeping(section) {
  if (!section) return;
  const show = (...names) => section.querySelectorAll("[data-show]").forEach((one) => { one.hidden = !names.includes(one.dataset.show); });
  const reason = why();
  if (reason) return show(reason);
  new Keeper(section, show).begin().catch(() => show("failed"));
}

class Keeper {
  constructor(section, show) {
    Object.assign(this, { section, show, form: section.querySelector("form") });
    this.form.addEventListener("submit", (event) => { event.preventDefault(); this.keep(); });
    this.form.addEventListener("change", () => this.weigh());
    section.querySelector("[data-forget]").addEventListener("click", () => forget().then(() => this.begin()));
  }

  async begin() {
    this.kept = await state();
    this.show("choice", this.kept ? "kept" : "");
    this.tellKept();
    this.list = await offered();
    const there = (name) => new Set(this.list.parts.map((part) => part[name]).filter(Boolean));
    for (const box of this.form.elements) {
      if (box.type !== "checkbox") continue;
      box.disabled = !there(box.name).has(box.value);
      box.checked &&= !box.disabled;
      const asked = box.name === "game" && box.value === this.section.dataset.game;
      if (this.kept) box.checked = (asked || this.kept[`${box.name}s`].includes(box.value)) && !box.disabled;
    }
    this.checkReadable();
    this.weigh();
  }

  /** Checks a language that the proposed game (else: some game) has words in, if none is checked. */
  checkReadable() {
    const game = this.section.dataset.game, langs = this.list.parts.filter((part) => part.lang && (game ? part.game === game : part.game)).map((part) => part.lang);
    if (this.chosen("lang").some((lang) => langs.includes(lang))) return;
    const lang = fallback(document.documentElement.lang).find((one) => langs.includes(one));
    for (const box of this.form.elements) if (box.name === "lang" && box.value === lang) box.checked = true;
  }

  tellKept() {
    if (!this.kept) return;
    this.section.querySelector("[data-when]").textContent = new Date(this.kept.when).toLocaleDateString(document.documentElement.lang);
    this.section.querySelector("[data-editions]").textContent = editionNames(this.kept);
  }

  chosen = (name) => [...this.form.elements].filter((box) => box.name === name && box.checked).map((box) => box.value);

  weigh() {
    const rows = this.list ? wanted(this.list, this.chosen("game"), this.chosen("lang")) : [];
    const enough = this.chosen("game").length > 0 && this.chosen("lang").length > 0;
    this.section.querySelector("[data-size]").textContent = (rows.reduce((sum, { size }) => sum + size, 0) / 1e6).toFixed(1);
    this.form.querySelector("button").disabled = !this.list || !enough;
    this.section.querySelector("[data-wait]").hidden = Boolean(this.list);
    this.section.querySelector("[data-weight]").hidden = !enough || !this.list;
  }

  async keep() {
    const bar = this.section.querySelector("progress"), games = this.chosen("game"), langs = this.chosen("lang");
    this.show("busy");
    try {
      await navigator.serviceWorker.register(script("/service.js"));
      await keep(await offered(), games, langs, (share) => { bar.value = share; });
      await navigator.serviceWorker.ready;
      await this.begin();
    } catch {
      this.show("choice", "failed", this.kept ? "kept" : "");
    }
  }
}

/** Offers what is new of what is kept, and never takes it by itself. */
export async function offering(bar) {
  const kept = await state().catch(() => null);
  if (!kept || why() || sessionStorage.getItem("rulestone.later")) return;
  const list = await offered().catch(() => null), rows = list && wanted(list, kept.games, kept.langs);
  const now = rows && digests(rows);
  if (!now || rows.every(({ name, digest }) => kept.digests[name] === digest)) return;
  bar.hidden = false;
  bar.querySelector("[data-later]").addEventListener("click", () => { sessionStorage.setItem("rulestone.later", "1"); bar.hidden = true; });
  bar.querySelector("[data-take]").addEventListener("click", async () => {
    const meter = bar.querySelector("progress");
    bar.querySelectorAll("button").forEach((button) => { button.disabled = true; });
    meter.hidden = false;
    const done = await keep(await offered(), kept.games, kept.langs, (share) => { meter.value = share; }).then(() => true, () => false);
    bar.querySelector(done ? "[data-done]" : "[data-failed]").hidden = false;
    meter.hidden = true;
    bar.querySelectorAll("button").forEach((button) => { button.hidden = true; });
  });
}
