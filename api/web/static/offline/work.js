// Makes the index of some packs beside the page, which stays quick meanwhile.
import { build } from "./build.js";
import { Shelf } from "./shelf.js";

addEventListener("message", ({ data }) => {
  const parts = Object.fromEntries(Object.entries(data).map(([name, text]) => [name, JSON.parse(text)]));
  const index = build(new Shelf(parts), (share) => postMessage({ share }));
  const buffers = Object.values(index).filter((column) => ArrayBuffer.isView(column)).map((column) => column.buffer);
  postMessage({ index }, buffers);
});
