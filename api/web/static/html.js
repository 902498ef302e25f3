// Pieces of pages from this server, the only HTML that a script may take over.
import { html } from "./trusted.js";

const kept = new Map();

export async function piece(address) {
  if (!kept.has(address)) kept.set(address, fetched(address).catch((fault) => { kept.delete(address); throw fault; }));
  const template = document.createElement("template");
  template.innerHTML = html(await kept.get(address));
  return template.content;
}

async function fetched(address) {
  const answer = await fetch(new URL(address, location.origin), { headers: { Accept: "text/html" } });
  if (!answer.ok) throw new Error(String(answer.status));
  return answer.text();
}
