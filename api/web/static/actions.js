// Copy a citation, share an address.
export function actions(root, toast) {
  for (const bar of root.querySelectorAll(".actions")) bar.hidden = false;
  for (const button of root.querySelectorAll("[data-share]")) button.hidden = !navigator.share;
  root.addEventListener("click", async (event) => {
    const copy = event.target.closest("[data-copy]"), share = event.target.closest("[data-share]");
    if (copy && (await copied(`${copy.dataset.copy} ${location.href.split("?")[0]}`))) say(toast, copy.dataset.done);
    if (share) navigator.share({ title: share.dataset.share, url: location.href }).catch(() => {});
  });
}

async function copied(words) {
  try { await navigator.clipboard.writeText(words); return true; } catch { /* an origin that is not secure */ }
  const area = Object.assign(document.createElement("textarea"), { value: words });
  document.body.append(area);
  area.select();
  const done = document.execCommand("copy");
  area.remove();
  return done;
}

let shown;
export function say(toast, words) {
  clearTimeout(shown);
  toast.textContent = words;
  shown = setTimeout(() => toast.replaceChildren(), 2500);
}
