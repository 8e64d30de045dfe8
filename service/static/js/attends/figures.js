// Parts of the figures: strips of numbers, bars, and tables of them.

import { make } from "../strings.js";

/** Paint a vector as a strip, a dot a number: one colour for positive, another for negative. */
export function strip(vector, most, share = 1) {
  const canvas = make("canvas", { className: "strip", "aria-hidden": "true" });
  canvas.width = vector.length;
  canvas.height = 1;
  const pen = canvas.getContext("2d");
  const style = getComputedStyle(document.documentElement);
  vector.forEach((value, n) => {
    pen.fillStyle = style.getPropertyValue(value < 0 ? "--negative" : "--accent");
    pen.globalAlpha = Math.min(1, Math.abs(value) / most);
    pen.fillRect(n, 0, 1, 1);
  });
  canvas.style.opacity = share;
  return canvas;
}

/** Return the largest absolute number of some vectors. */
export const largest = (vectors) => Math.max(...vectors.flat().map(Math.abs), 1e-9);

/** Return a bar of a share of 100 %, with its number. */
export function bar(share, text = `${Math.round(100 * share)} %`) {
  const line = make("span", { className: "bar" });
  line.style.setProperty("--share", Math.max(0, Math.min(1, share)));
  return make("span", { className: "measured" }, line, make("span", { className: "figure-number" }, text));
}

/** Boxes that are wider than the window can be scrolled: then the keyboard comes to them, too. */
const boxes = new ResizeObserver((changes) => {
  for (const { target } of changes) {
    const isWider = target.scrollWidth > target.clientWidth;
    target.role = isWider ? "region" : null;
    target.ariaLabel = isWider ? target.querySelector("caption").textContent : null;
    target.tabIndex = isWider ? 0 : -1;
    if (!target.isConnected) boxes.unobserve(target);
  }
});

/** Return a table: headings, then rows of cells, of which the first names the row. */
export function table(caption, headings, rows, chosen = -1) {
  const titles = headings.map((heading) => make("th", { scope: "col" }, heading));
  const lines = rows.map(([name, ...contents], number) => {
    const cells = contents.map((content) => make("td", {}, content));
    return make("tr", { className: number === chosen ? "chosen" : "" }, make("th", { scope: "row" }, name), ...cells);
  });
  const head = make("thead", {}, make("tr", {}, ...titles));
  const title = make("caption", { className: "visually-hidden" }, caption);
  const box = make("div", { className: "table-scroll" }, make("table", {}, title, head, make("tbody", {}, ...lines)));
  boxes.observe(box);
  return box;
}
