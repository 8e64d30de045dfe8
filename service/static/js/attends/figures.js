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
    if (!target.isConnected) boxes.unobserve(target);
    else if (target.scrollWidth > target.clientWidth) {
      const label = target.querySelector("caption").textContent;
      for (const [name, value] of [["tabindex", 0], ["role", "region"], ["aria-label", label]]) {
        target.setAttribute(name, value);
      }
    } else {
      for (const name of ["tabindex", "role", "aria-label"]) target.removeAttribute(name);
    }
  }
});

/** Return a table: headings, then rows of cells, of which the first names the row. */
export function table(caption, headings, rows, chosen = -1) {
  const cell = (name, content, properties = {}) => make(name, properties, ...[content].flat());
  const box = make(
    "div",
    { className: "table-scroll" },
    make(
      "table",
      {},
      make("caption", { className: "visually-hidden" }, caption),
      make("thead", {}, make("tr", {}, ...headings.map((heading) => cell("th", heading, { scope: "col" })))),
      make(
        "tbody",
        {},
        ...rows.map(([name, ...cells], number) =>
          make(
            "tr",
            { className: number === chosen ? "chosen" : "" },
            cell("th", name, { scope: "row" }),
            ...cells.map((content) => cell("td", content)),
          ),
        ),
      ),
    ),
  );
  boxes.observe(box);
  return box;
}
