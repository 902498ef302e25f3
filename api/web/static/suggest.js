// What could be meant, while it is typed: numbers, terms, cards, headings. A combobox as WAI-ARIA has it; keys for numbers.
const PAUSE = 90;

export function suggesting(form) {
  const input = form.querySelector("input[type=search]"), list = form.querySelector(".suggestions");
  numbers(form.querySelector(".keys"), input);
  Object.entries({ role: "combobox", "aria-expanded": "false", "aria-controls": list.id, "aria-autocomplete": "list" })
    .forEach(([name, value]) => input.setAttribute(name, value));
  list.setAttribute("role", "listbox");
  list.setAttribute("aria-label", input.placeholder);
  let waiting, asked = 0, at = -1;

  const close = () => { list.hidden = true; at = -1; input.setAttribute("aria-expanded", "false"); input.removeAttribute("aria-activedescendant"); };
  const choose = (place) => {
    const lines = [...list.children];
    at = (place + lines.length + 1) % (lines.length + 1);
    lines.forEach((line, index) => line.setAttribute("aria-selected", String(index === at)));
    if (lines[at]) { input.setAttribute("aria-activedescendant", lines[at].id); lines[at].scrollIntoView({ block: "nearest" }); }
    else input.removeAttribute("aria-activedescendant");
  };
  // A card has no page: its name is asked for, with the game and the day that are chosen.
  const take = ({ dataset }) => {
    if (!dataset.ask) return void (location.href = dataset.href);
    input.value = dataset.ask;
    asked++; close();
    form.requestSubmit();
  };
  const ask = async () => {
    const turn = ++asked, words = input.value.trim();
    if (!words) return close();
    const given = new URLSearchParams({ q: words, lang: document.documentElement.lang }), game = form.elements.game?.value;
    if (game) given.set("game", game);
    const answer = await fetch(`${input.dataset.suggest}?${given}`, { headers: { Accept: "application/json" } }).catch(() => null);
    const { suggestions } = answer?.ok ? await answer.json() : {};
    if (turn !== asked || !suggestions || document.activeElement !== input) return;
    list.replaceChildren(...suggestions.map(line(list)));
    list.hidden = !suggestions.length;
    input.setAttribute("aria-expanded", String(!list.hidden));
    at = -1;
  };
  input.addEventListener("input", () => { asked++; clearTimeout(waiting); waiting = setTimeout(ask, PAUSE); });
  input.addEventListener("blur", () => { asked++; close(); });
  input.addEventListener("keydown", (event) => {
    if (event.isComposing || list.hidden) return;
    if (event.key === "ArrowDown") { event.preventDefault(); choose(at + 1); }
    else if (event.key === "ArrowUp") { event.preventDefault(); choose(at < 0 ? list.children.length - 1 : at - 1); }
    else if (event.key === "Escape") { event.preventDefault(); asked++; close(); }
    else if (event.key === "Enter" && at >= 0 && at < list.children.length) { event.preventDefault(); take(list.children[at]); }
  });
  list.addEventListener("pointerdown", (event) => event.preventDefault()); // the field keeps the focus
  list.addEventListener("click", (event) => { const one = event.target.closest("li"); if (one) take(one); });
}

// The address of a thing on this server: what follows the host and the name of the project in its IRI.
const local = (iri) => new URL(iri).pathname.replace(/^\/rulestone/, "");

function line(list) {
  return (one, index) => {
    const item = document.createElement("li");
    item.id = `suggestion-${index}`;
    item.setAttribute("role", "option");
    item.setAttribute("aria-selected", "false");
    if (one.iri) item.dataset.href = local(one.iri);
    else item.dataset.ask = one.label;
    const tag = one.game && one.game.length <= 4 ? one.game.toUpperCase() : one.game;
    if (one.game) item.append(span("game", tag));
    if (one.kind === "number") item.append(span("number", one.number));
    item.append(span("label-of", one.label, one.lang || "und"));
    const kind = list.dataset[one.kind], what = kind ?? (one.kind === "heading" ? one.number : "");
    if (what) item.append(span("what", what, kind ? undefined : "und"));
    return item;
  };
}

function span(name, words, lang) {
  const made = document.createElement("span");
  made.className = name;
  made.textContent = words;
  if (lang) made.lang = lang;
  made.translate = false;
  return made;
}

// A judge types numbers most of all: one touch brings the keys for them, another one those for words.
function numbers(button, input) {
  if (!window.matchMedia("(pointer: coarse)").matches) return;
  button.hidden = false;
  button.addEventListener("click", () => {
    const pressed = button.getAttribute("aria-pressed") !== "true";
    button.setAttribute("aria-pressed", String(pressed));
    input.inputMode = pressed ? "decimal" : "search";
    input.blur();
    input.focus();
  });
}
