// Point at a word, or go to it by keys: what it attends to is shaded on the other side. A click says
// more of it. A finger cannot point: its first tap on a word shades, the second one says more.

import { find, t } from "../strings.js";
import { linksOf, partners } from "./links.js";
import * as marks from "./marks.js";
import * as result from "./result.js";
import { reveal } from "./scrolling.js";
import { take as takeSentence } from "./sentence.js";
import { spanAt } from "./text.js";
import { current, onResult } from "./translate.js";
import * as word from "./word.js";

const q = find("q");
const said = find("word");
const BESIDE = { mouse: 3, touch: 10 }; // by how many pixels a word may be missed
const STEPS = ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End"];
const MOVES = [...STEPS, "PageUp", "PageDown"];

let at = null; // {number, side, word} that is shaded
let isTouch = false; // whether it was a finger that came last

/** Show a word and its partners, and tell them to a screen reader where the keyboard has chosen. */
function show(number, side, word, isByKey = false) {
  if (isShown(number, side, word)) return;
  at = { number, side, word };
  const found = linksOf(result.viewAt(number).sentence);
  const linked = partners(found, side, word);
  marks.shade(number, side, word, linked);
  const other = side === "target" ? "source" : "target";
  if (linked.length) reveal(other, marks.rangeOf(number, other, found[other][linked[0][0]]));
  if (isByKey) {
    said.textContent = describe(number, side, word, linked, found);
    takeSentence(number);
  }
}

function describe(number, side, word, linked, found) {
  const { sentence } = result.viewAt(number);
  const own = side === "target" ? sentence.text : sentence.source;
  const others = side === "target" ? sentence.source : sentence.text;
  const other = side === "target" ? "source" : "target";
  const words = linked.slice(0, 3).map(([n]) => `“${others.slice(...found[other][n])}”`);
  const key = words.length === 0 ? "nothing" : side === "target" ? "looked_at" : "led_to";
  return t(`see.${key}`, { word: own.slice(...found[side][word]), words: words.join(", ") });
}

const isShown = (number, side, word) => at?.number === number && at.side === side && at.word === word;

function hide() {
  if (!at) return;
  at = null;
  marks.clear();
}

/** Return the word at a place of a sentence, or null. */
function wordAt(number, side, offset) {
  const spans = linksOf(result.viewAt(number).sentence)[side];
  const word = spanAt(spans, offset);
  return word < 0 ? null : { number, side, word, span: spans[word] };
}

const wordAtSource = (number, place) => wordAt(number, "source", place - result.sourceOffset(number));

/** Return the node and the offset at a place of the window; older browsers know another name. */
function caretAt(x, y) {
  if (document.caretPositionFromPoint) return document.caretPositionFromPoint(x, y);
  const range = document.caretRangeFromPoint?.(x, y);
  return range && { offsetNode: range.startContainer, offset: range.startOffset };
}

/** Return the word under the pointer, or null. */
function wordUnder(event) {
  if (!current()) return null;
  const place = caretAt(event.clientX, event.clientY);
  if (!place) return null;
  let found = null;
  if (event.currentTarget === q) {
    const number = place.offsetNode === q ? result.sentenceAtSource(place.offset) : -1;
    if (number < 0) return null;
    found = wordAtSource(number, place.offset);
  } else {
    const view = result.viewOfNode(place.offsetNode);
    if (!view || place.offsetNode !== view.words) return null;
    found = wordAt(result.numberOf(view), "target", place.offset);
  }
  if (!found) return null;
  const range = marks.rangeOf(found.number, found.side, found.span);
  const patience = isTouch ? BESIDE.touch : BESIDE.mouse;
  return marks.isOn(range, event.clientX, event.clientY, patience) ? found : null;
}

function onPointer(event) {
  if (event.buttons) return; // text is being selected, or a finger scrolls
  isTouch = event.pointerType === "touch";
  const found = wordUnder(event);
  if (found) show(found.number, found.side, found.word);
  else hide();
}

/** Shade the word at the caret of the field, after keys and clicks that move it. */
function onCaret() {
  if (!current() || q.selectionStart !== q.selectionEnd) return;
  const number = result.sentenceAtSource(q.selectionStart);
  if (number < 0) return;
  takeSentence(number);
  const found = wordAtSource(number, q.selectionStart);
  if (found) show(found.number, found.side, found.word, true);
}

/** Go to another word of the translation by the arrow keys. */
function onKey(event) {
  if (!current()) return;
  if (event.key === "Enter" && at?.side === "target") {
    event.preventDefault();
    word.open(at.number, at.word, true);
    return;
  }
  if (!STEPS.includes(event.key) || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
  event.preventDefault();
  const found = stepFrom(at?.side === "target" ? at : null, event.key);
  if (!found) return;
  show(found.number, "target", found.word, true);
  const span = linksOf(result.viewAt(found.number).sentence).target[found.word];
  marks.rangeOf(found.number, "target", span).startContainer.parentElement.scrollIntoView({ block: "nearest" });
}

/** Return the word that a key leads to, in its sentence or in the nearest that has words; the first from nowhere. */
function stepFrom(from, key) {
  const words = [...Array(result.count()).keys()].flatMap((number) =>
    linksOf(result.viewAt(number).sentence).target.map((_, word) => ({ number, word })),
  );
  const firsts = words.filter(({ word }) => word === 0);
  const place = words.findIndex(({ number, word }) => number === from?.number && word === from.word);
  const own = firsts.findIndex(({ number }) => number === from?.number);
  if (place < 0) return words[0];
  const ends = { ArrowLeft: words[place - 1], ArrowRight: words[place + 1], Home: words[0], End: words.at(-1) };
  const lines = { ArrowUp: firsts[Math.max(own - 1, 0)], ArrowDown: firsts[own + 1] ?? firsts[own] };
  return { ...ends, ...lines }[key] ?? from;
}

function onClick(event) {
  if (!getSelection().isCollapsed) return word.close(); // text is being selected
  const found = wordUnder(event);
  if (!found) return hide();
  const isFirstTap = isTouch && !isShown(found.number, "target", found.word);
  takeSentence(found.number);
  if (isFirstTap) show(found.number, "target", found.word);
  else word.open(found.number, found.word);
}

/** Begin. */
export function begin() {
  for (const field of [q, result.box]) {
    field.addEventListener("pointerdown", (event) => (isTouch = event.pointerType === "touch"));
    field.addEventListener("pointermove", onPointer);
    field.addEventListener("pointerleave", (event) => event.pointerType === "touch" || hide());
    field.addEventListener("blur", (event) => event.relatedTarget?.closest("#word-box") || hide());
  }
  q.addEventListener("input", hide);
  q.addEventListener("click", onCaret);
  q.addEventListener("keyup", (event) => MOVES.includes(event.key) && onCaret());
  result.box.addEventListener("click", onClick);
  result.box.addEventListener("keydown", onKey);
  onResult((found, isPending) => {
    hide();
    if (!isPending) marks.underlineWorst();
  });
}
