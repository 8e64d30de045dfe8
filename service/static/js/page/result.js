// The translation as it stands on the page: one element a sentence, plain text inside.

import { has, make, t } from "../strings.js";
import { countCharacters } from "./text.js";

export const box = document.getElementById("translation");
const placeholder = document.getElementById("placeholder");

let views = []; // {sentence, text, nodes: [separator, element]} of each sentence, in order
let open = { at: 0, end: 0 }; // which views the sentences to come take the place of
let rest = []; // sentences that follow those to come, and are not on the page
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

/**
 * Make room for sentences to come, between those that stay before and after them.
 *
 * What an aborted answer has left in between is replaced as well.
 */
export function openWindow(before, after) {
  const is = (number, sentence) => views[number]?.sentence === sentence;
  let start = 0;
  while (start < before.length && is(start, before[start])) start++;
  let end = 0;
  const most = Math.min(after.length, views.length - start);
  while (end < most && is(views.length - 1 - end, after[after.length - 1 - end])) end++;
  open = { at: start, end: views.length - end };
  rest = after.slice(0, after.length - end);
  for (const view of views.slice(open.at, open.end)) view.element.classList.add("stale");
  before.slice(start).forEach(putNext);
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
  rest.splice(0).forEach(putNext);
  views.splice(open.at, open.end - open.at).forEach(remove);
  offsets = null;
  placeholder.hidden = text() !== "";
}

/** Leave nothing. */
export function clear() {
  openWindow([], []);
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
  for (const flag of flagsOf(sentence)) element.append(chip(flag));
  viewOf.set(element, view);
  return view;
}

function remove(view) {
  for (const node of view.nodes) node.remove();
}

/** Return what is to be said beside a sentence. */
export function flagsOf(sentence) {
  const isCut = (sentence.finish_reasons ?? []).includes("length");
  return [...new Set([...(sentence.flags ?? []), ...(isCut ? ["length"] : [])])];
}

function chip(flag) {
  const known = has(`see.flags.${flag}`);
  const label = known ? t(`see.flags.${flag}`) : t("see.flags.other", { flag });
  const explained = has(`see.notes.${flag}`) ? t(`see.notes.${flag}`) : label;
  return make("span", { className: "flag", title: explained }, label);
}

/** Return how much of the source is done, in characters. */
export function charactersDone() {
  return views
    .slice(0, open.at)
    .reduce((sum, { sentence }) => sum + countCharacters(sentence.separator + sentence.source), 0);
}
