// The last questions, kept on this device and sent nowhere.
const KEY = "rulestone.recent", MOST = 8;

const read = () => { try { return JSON.parse(localStorage.getItem(KEY)) || []; } catch { return []; } };
const write = (questions) => { try { localStorage.setItem(KEY, JSON.stringify(questions)); } catch { /* private windows */ } };

export function recent(section, input) {
  const asked = new URLSearchParams(location.search).get("q")?.trim();
  if (location.pathname === "/" && asked) write([asked, ...read().filter((one) => one !== asked)].slice(0, MOST));
  if (!section) return;
  const show = () => {
    const questions = read().filter((one) => typeof one === "string");
    section.hidden = !questions.length;
    section.querySelector("ul").replaceChildren(...questions.map(line));
  };
  section.querySelector("button").addEventListener("click", () => { write([]); show(); input.focus(); });
  show();
}

function line(question) {
  const item = document.createElement("li"), link = document.createElement("a");
  link.href = `/?${new URLSearchParams({ q: question })}`;
  link.textContent = question;
  link.translate = false;
  item.append(link);
  return item;
}
