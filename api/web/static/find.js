// What a part of a book says of some words, while they are typed: the rules that hold them, with the words marked.
export function finding(form, list) {
  if (!form || !list) return;
  const input = form.querySelector("input[type=search]");
  form.querySelector("button").hidden = true;
  form.addEventListener("submit", (event) => { event.preventDefault(); input.blur(); });
  input.addEventListener("input", () => {
    const words = input.value.trim().toLowerCase(), ranges = [];
    for (const rule of list.children) {
      const found = words ? within(rule, words) : [];
      rule.hidden = Boolean(words) && !found.length;
      ranges.push(...found);
    }
    if (globalThis.CSS?.highlights) CSS.highlights.set("found", new Highlight(...ranges));
  });
}

function within(rule, words) {
  const ranges = [], texts = document.createTreeWalker(rule, NodeFilter.SHOW_TEXT);
  let whole = "";
  const nodes = [];
  while (texts.nextNode()) { nodes.push([whole.length, texts.currentNode]); whole += texts.currentNode.data; }
  const folded = whole.toLowerCase();
  if (folded.length !== whole.length) return folded.includes(words) ? [new Range()] : [];
  for (let at = folded.indexOf(words); at >= 0; at = folded.indexOf(words, at + words.length)) ranges.push(range(nodes, at, at + words.length));
  return ranges;
}

function range(nodes, start, end) {
  const made = new Range();
  const at = (place) => { const [from, node] = nodes.findLast(([before]) => before <= place); return [node, place - from]; };
  made.setStart(...at(start));
  made.setEnd(...at(end));
  return made;
}
