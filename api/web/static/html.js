// Pieces of pages from this server, the only HTML that a script may take over.
const policy = window.trustedTypes?.createPolicy("rulestone", { createHTML: (words) => words });
const kept = new Map();

export async function piece(address) {
  if (!kept.has(address)) kept.set(address, fetched(address).catch((fault) => { kept.delete(address); throw fault; }));
  const words = await kept.get(address);
  const template = document.createElement("template");
  template.innerHTML = policy ? policy.createHTML(words) : words;
  return template.content;
}

async function fetched(address) {
  const answer = await fetch(new URL(address, location.origin), { headers: { Accept: "text/html" } });
  if (!answer.ok) throw new Error(String(answer.status));
  return answer.text();
}
