// What is shaded and underlined in both panes, by the CSS Custom Highlight API.
// The text on the left stands in a field, in which nothing can be marked: a copy of it lies behind.

import { find } from "../strings.js";
import * as result from "./result.js";
import { usedIn } from "./glossary.js";
import { linksOf } from "./links.js";

const LEVELS = 4;
const q = find("q");
const backdrop = find("backdrop");
const behind = document.createTextNode("");
backdrop.append(behind);

const marks = Object.fromEntries(
  ["sentence", "term", "unsure", "unsure-here", "attend-1", "attend-2", "attend-3", "attend-4", "word"].map((name, rank) => {
    const mark = globalThis.Highlight ? new Highlight() : new Set();
    mark.priority = rank;
    globalThis.CSS?.highlights?.set(name, mark);
    return [name, mark];
  }),
);

/** Copy the text behind the field, with its place, where that has changed. */
function layBehind() {
  if (behind.data !== q.value) behind.data = q.value;
  backdrop.scrollTop = q.scrollTop;
}
q.addEventListener("scroll", () => (backdrop.scrollTop = q.scrollTop));

function rangeIn(node, start, end) {
  const range = document.createRange();
  range.setStart(node, Math.min(start, node.length));
  range.setEnd(node, Math.min(end, node.length));
  return range;
}

/** Return a part of a sentence as a range of the page; `side` is source or target. */
export function rangeOf(number, side, [start, end]) {
  if (side === "target") return rangeIn(result.viewAt(number).words, start, end);
  layBehind();
  const offset = result.sourceOffset(number);
  return rangeIn(behind, offset + start, offset + end);
}

/** Return whether a point of the window is on a range, or beside it by so many pixels. */
export function isOn(range, x, y, patience) {
  return [...range.getClientRects()].some(
    (box) =>
      x >= box.left - patience && x <= box.right + patience && y >= box.top - patience && y <= box.bottom + patience,
  );
}

let taken = -1; // the sentence in hand

/** Shade nothing. */
export function clear() {
  for (const [name, mark] of Object.entries(marks)) if (!["unsure", "term"].includes(name)) mark.clear();
  underlineIn(taken);
}

/** Take a sentence in hand; -1 for none. */
export function take(number) {
  taken = number;
  underlineIn(number);
}

/** Shade a word, its sentence on both sides, and its partners on the other by their weight. */
export function shade(number, side, word, partners) {
  clear();
  underlineIn(number);
  const { sentence } = result.viewAt(number);
  const found = linksOf(sentence);
  const other = side === "target" ? "source" : "target";
  if (result.count() > 2) {
    marks.sentence.add(rangeOf(number, "source", [0, sentence.source.length]));
    marks.sentence.add(rangeOf(number, "target", [0, sentence.text.length]));
  }
  marks.word.add(rangeOf(number, side, found[side][word]));
  const most = Math.max(...partners.map(([, weight]) => weight), 0.001);
  for (const [partner, weight] of partners) {
    const level = Math.max(1, Math.ceil((LEVELS * weight) / Math.max(most, 0.5)));
    marks[`attend-${Math.min(LEVELS, level)}`].add(rangeOf(number, other, found[other][partner]));
  }
}

/**
 * Underline terms of the glossary, and where the reader should look: in each sentence, the most
 * doubtful word.
 *
 * If all unsure words were underlined everywhere, a long text would be full of dots.
 */
export function underlineWorst() {
  marks.unsure.clear();
  marks.term.clear();
  let count = 0;
  let isUnsure = false;
  for (let number = 0; number < result.count(); number++) {
    const { sentence } = result.viewAt(number);
    const { target, unsure, worst } = linksOf(sentence);
    if (sentence.source) count++;
    if (unsure.length) isUnsure = true;
    for (const span of usedIn(sentence)) marks.term.add(rangeOf(number, "target", span));
    if (worst >= 0) marks.unsure.add(rangeOf(number, "target", target[worst]));
  }
  find("legend").hidden = !isUnsure;
  find("legend-more").hidden = count < 2;
}

/** Underline all words of one sentence that the model was unsure of. */
function underlineIn(number) {
  marks["unsure-here"].clear();
  if (number < 0 || number >= result.count()) return;
  const { target, unsure } = linksOf(result.viewAt(number).sentence);
  for (const word of unsure) marks["unsure-here"].add(rangeOf(number, "target", target[word]));
}
