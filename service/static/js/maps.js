// Attention maps: a large one as squares with names, small ones as pictures of a dot a weight.

import { languageName, t } from "./strings.js";

const SVG = "http://www.w3.org/2000/svg";
const CELL = 26;
const SMALLEST = 0.6; // to which a map shrinks to fit; a larger one is scrolled

function draw(name, attributes, text) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (text !== undefined) element.textContent = text;
  return element;
}

/** Return what people read for a piece: `·` before one that goes on with a word. */
export function nameOf({ piece }) {
  const language = /^<2(.+)>$/.exec(piece);
  if (language) return `[${t("see.map.to_language", { language: languageName(language[1]) })}]`;
  if (piece === "<s>") return `[${t("see.map.start")}]`;
  if (piece === "</s>") return `[${t("see.map.end")}]`;
  if (piece.startsWith("▁")) return piece.slice(1) || "▁";
  return /^[\p{L}\p{M}]/u.test(piece) ? `·${piece}` : piece;
}

/** Whether a piece is a sign that is no text, such as that of the end. */
export const isSign = ({ start, end, piece }) => start === end && /^<.*>$/.test(piece);

/** Return the names of rows and columns of a kind of map; see POST /attention. */
export function namesOf(kind, answer) {
  const source = answer.source.map(nameOf);
  const target = answer.target.map(nameOf);
  const written = [...target.slice(1), `[${t("see.map.end")}]`];
  if (kind === "encoder") return { rows: source, columns: source };
  if (kind === "decoder") return { rows: target, columns: target };
  return { rows: written, columns: source };
}

/** Return the mean of some maps of the same size. */
export function mean(maps) {
  return maps[0].weights.map((row, r) =>
    row.map((_, c) => maps.reduce((sum, map) => sum + map.weights[r][c], 0) / maps.length),
  );
}

/** Return the last layer of some maps of a kind, and the mean of its heads. */
export function meanOfLast(maps) {
  const layer = Math.max(...maps.map((map) => map.layer));
  return { layer, weights: mean(maps.filter((map) => map.layer === layer)) };
}

export const percent = (weight) => Math.round(100 * weight);

/** Return the place of the largest weight of a row. */
export const strongest = (row) => row.indexOf(Math.max(...row));

/** Paint a small map into a canvas, a dot a weight, in the colour of its text. */
export function paint(canvas, weights) {
  canvas.width = weights[0].length;
  canvas.height = weights.length;
  const pen = canvas.getContext("2d");
  pen.fillStyle = getComputedStyle(canvas).color;
  weights.forEach((row, r) =>
    row.forEach((weight, c) => {
      pen.globalAlpha = shadeOf(weight);
      pen.fillRect(c, r, 1, 1);
    }),
  );
}

/** Return how strong a weight is drawn: small ones can still be told from none. */
export const shadeOf = (weight) => Math.min(1, weight) ** 0.7;

const width = (text) => Math.min(text.length, 14) * 7.4 + 10;

/**
 * Return a large map as an element. `onCell(row, column)` is called for the square under the
 * pointer or at the keyboard, which begins in the row `first`; `marked` rows are set off.
 */
export function largeMap({ rows, columns, weights, label, marked = [], first = 0, hidden = null, onCell = () => {} }) {
  const left = Math.max(...rows.map(width));
  const top = Math.max(...columns.map(width)) * 0.75 + 12;
  const size = [left + columns.length * CELL + 40, top + rows.length * CELL + 4];
  const svg = draw("svg", { viewBox: `0 0 ${size[0]} ${size[1]}`, width: size[0], height: size[1], class: "map", role: "img", tabindex: 0, "aria-label": label });
  for (const [side, length] of [["minWidth", size[0]], ["minHeight", size[1]]]) svg.style[side] = `${SMALLEST * length}px`;
  columns.forEach((name, c) => {
    const x = left + c * CELL + CELL / 2 + 4;
    svg.append(draw("text", { x, y: top - 6, transform: `rotate(-48 ${x} ${top - 6})`, class: "column" }, cut(name)));
  });
  const cells = rows.map((name, r) => {
    const y = top + r * CELL;
    if (marked.includes(r)) svg.append(draw("rect", { x: 0, y, width: left + columns.length * CELL, height: CELL, class: "marked" }));
    svg.append(draw("text", { x: left - 8, y: y + CELL / 2 + 4.5, class: marked.includes(r) ? "row strong" : "row" }, cut(name)));
    return columns.map((_, c) => {
      const isHidden = hidden?.(r, c);
      const cell = draw("rect", { x: left + c * CELL + 1, y: y + 1, width: CELL - 2, height: CELL - 2, rx: 4, class: isHidden ? "cell unseen" : "cell" });
      cell.style.setProperty("--weight", isHidden ? 0 : shadeOf(weights[r][c]));
      svg.append(cell);
      return cell;
    });
  });
  const frame = draw("rect", { width: CELL, height: CELL, rx: 5, class: "frame", visibility: "hidden" });
  svg.append(frame);
  follow(svg, cells, frame, { left, top, onCell, first, weights });
  return svg;
}

const PROPERTIES = ["fill", "stroke", "stroke-width", "stroke-dasharray", "font-family", "font-size", "font-weight", "text-anchor", "visibility"];

/** Return a map as a file of SVG that stands by itself: it looks as on this page, on its background. */
export function fileOf(map, background) {
  const copy = map.cloneNode(true);
  const pen = Object.assign(document.createElement("canvas"), { width: 1, height: 1 }).getContext("2d", { willReadFrequently: true });
  const plain = (colour) => { // as all programs know it, not mixed
    if (!/^(color|rgb)/.test(colour)) return colour;
    pen.fillStyle = colour;
    pen.fillRect(0, 0, 1, 1);
    return `rgb(${[...pen.getImageData(0, 0, 1, 1).data.slice(0, 3)]})`;
  };
  const parts = copy.querySelectorAll("*");
  map.querySelectorAll("*").forEach((element, n) => {
    const style = getComputedStyle(element);
    for (const name of PROPERTIES) parts[n].setAttribute(name, plain(style.getPropertyValue(name)));
  });
  for (const element of [copy, ...parts]) for (const name of ["class", "style", "tabindex"]) element.removeAttribute(name);
  copy.prepend(draw("rect", { width: "100%", height: "100%", fill: plain(background) }));
  return new Blob([new XMLSerializer().serializeToString(copy)], { type: "image/svg+xml" });
}

/** Return a file of SVG as one of PNG, in twice the size. */
export async function asPng(file) {
  const image = new Image();
  image.src = URL.createObjectURL(file);
  await image.decode();
  const canvas = Object.assign(document.createElement("canvas"), { width: 2 * image.width, height: 2 * image.height });
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  URL.revokeObjectURL(image.src);
  return new Promise((done) => canvas.toBlob(done, "image/png"));
}

const cut = (name) => (name.length > 14 ? `${name.slice(0, 13)}…` : name);

/** Let pointer and arrow keys go from square to square. */
function follow(svg, cells, frame, { left, top, onCell, first, weights }) {
  let at = [first, strongest(weights[first])];
  const go = (row, column) => {
    at = [row, column];
    frame.setAttribute("x", left + column * CELL);
    frame.setAttribute("y", top + row * CELL);
    frame.setAttribute("visibility", "visible");
    onCell(row, column);
  };
  const places = new Map(cells.flatMap((row, r) => row.map((cell, c) => [cell, [r, c]])));
  svg.addEventListener("pointermove", (event) => {
    const place = places.get(event.target);
    if (place && (place[0] !== at[0] || place[1] !== at[1])) go(...place);
  });
  svg.addEventListener("focus", () => svg.matches(":focus-visible") && go(...at));
  svg.addEventListener("keydown", (event) => {
    const step = { ArrowRight: [0, 1], ArrowLeft: [0, -1], ArrowDown: [1, 0], ArrowUp: [-1, 0] }[event.key];
    if (!step) return;
    event.preventDefault();
    const row = Math.min(Math.max(at[0] + step[0], 0), cells.length - 1);
    const column = Math.min(Math.max(at[1] + step[1], 0), cells[0].length - 1);
    go(row, column);
    cells[row][column].scrollIntoView({ block: "nearest", inline: "nearest" });
  });
}
