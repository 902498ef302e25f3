// A rule that is named is shown in short where it is touched; a section is unfolded in place.
import { piece } from "./html.js";

export function unfolding(root) {
  root.addEventListener("toggle", async (event) => {
    const details = event.target;
    if (!details.open || !details.dataset.part) return;
    const address = details.dataset.part;
    delete details.dataset.part;
    try {
      const content = await piece(address);
      const summary = details.querySelector("summary");
      details.insertBefore(content, summary.nextSibling);
    } catch {
      details.dataset.part = address; // the way to the section stays
    }
  }, true);
}

export function previewing(root, sheet) {
  const content = sheet.querySelector(".content");
  root.addEventListener("click", async (event) => {
    const way = event.target.closest("a[data-preview]");
    if (!way || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    try {
      content.replaceChildren(await piece(way.dataset.preview));
      if (!sheet.open) sheet.showModal();
    } catch {
      location.href = way.href;
    }
  });
  sheet.addEventListener("click", (event) => { if (event.target === sheet) sheet.close(); });
}
