// The translation as it stands on the page: one element a sentence, plain text inside.

import { find, make } from "../strings.js";
import { flagsOf, meaningOf } from "./notes.js";
import { countCharacters } from "./text.js";

export const box = find("translation");
const placeholder = find("placeholder");

let views = []; // {sentence, text, nodes: [separator, element]} of each sentence, in order
let open = { at: 0, end: 0 }; // which views the sentences to come take the place of
let offsets = null; // where each sentence begins in the source, once asked for
const viewOf = new WeakMap();

export const sentences = () => views.map((view) => view.sentence);
export const count = () => views.length;
export const viewAt = (number) => views[number];
export const numberOf = (view) => views.indexOf(view);

/** Return the whole translation. */
export function text() {
  return views.map(({ sentence }) => sentence.separator + sentence.text).join("");
}

/** Return the view that a node of the page belongs to, if any. */
export function viewOfNode(node) {
  const element = node?.nodeType === Node.TEXT_NODE ? node.parentElement : node;
  return viewOf.get(element?.closest?.(".sentence"));
}

/** Return where a sentence begins in the source text, its separator not counted. */
export function sourceOffset(number) {
  if (!offsets) {
    offsets = [];
    let at = 0;
    for (const { sentence } of views) {
      offsets.push(at + sentence.separator.length);
      at += sentence.separator.length + sentence.source.length;
    }
  }
  return offsets[number];
}

/** Return the number of the sentence that this place of the source is in, or -1. */
export function sentenceAtSource(place) {
  for (let number = 0; number < views.length; number++) {
    const start = sourceOffset(number);
    if (place < start) return -1;
    if (place <= start + views[number].sentence.source.length) return number;
  }
  return -1;
}

/** Make room for sentences to come, between so many that stay before and after them. */
export function openWindow(before, after) {
  open = { at: before, end: views.length - after };
  views.forEach(({ element }, n) => element.classList.toggle("stale", n >= open.at && n < open.end));
}

/** Take in the next sentence; one that is as it was stays untouched. */
export function putNext(sentence) {
  const former = open.at < open.end ? views[open.at] : null;
  offsets = null;
  if (former && isSame(former.sentence, sentence)) {
    former.sentence = sentence;
    former.element.classList.remove("stale");
  } else {
    const made = draw(sentence);
    const before = former ?? views[open.at];
    if (before) before.separator.before(...made.nodes);
    else box.append(...made.nodes);
    if (former) remove(former);
    else open.end++;
    views.splice(open.at, former ? 1 : 0, made);
  }
  open.at++;
  placeholder.hidden = true;
}

/** End the window: remove the sentences that nothing has come for. */
export function closeWindow() {
  views.splice(open.at, open.end - open.at).forEach(remove);
  offsets = null;
  placeholder.hidden = text() !== "";
}

/** Leave nothing. */
export function clear() {
  openWindow(0, 0);
  closeWindow();
}

/** Show another translation of one sentence. */
export function replace(number, sentence) {
  const made = draw(sentence);
  views[number].separator.before(...made.nodes);
  remove(views[number]);
  views[number] = made;
  offsets = null;
}

function isSame(one, other) {
  return (
    one.separator === other.separator &&
    one.text === other.text &&
    flagsOf(one).join() === flagsOf(other).join()
  );
}

function draw(sentence) {
  const separator = document.createTextNode(sentence.separator);
  const words = document.createTextNode(sentence.text);
  const element = make("span", { className: "sentence" }, words);
  const view = { sentence, separator, words, element, nodes: [separator, element] };
  for (const { label, note } of flagsOf(sentence).map(meaningOf)) {
    element.append(make("span", { className: "flag", title: note }, label));
  }
  viewOf.set(element, view);
  return view;
}

function remove(view) {
  for (const node of view.nodes) node.remove();
}

/** Return how much of the source is done, in characters. */
export function charactersDone() {
  return views
    .slice(0, open.at)
    .reduce((sum, { sentence }) => sum + countCharacters(sentence.separator + sentence.source), 0);
}
