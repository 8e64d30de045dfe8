// A word in hand: where it comes from and how sure the model was of it, in a small box beside it.

import { directionOf, find, make, t } from "../strings.js";
import { percent } from "../maps.js";
import { openMap } from "./dialog.js";
import { linksOf, partners } from "./links.js";
import * as marks from "./marks.js";
import * as result from "./result.js";
import { choose, showOthers } from "./sentence.js";
import { askForOthers, current, onResult } from "./translate.js";

const box = find("word-box");

const list = find("word-list");
const LONGEST = 40; // of what is shown of a translation that goes on in another way

let at = null; // {number, word}
let request = null;

/** Return what is to be said of a word: its probability, if the model has told it. */
function sureness(sentence, word) {
  const logProb = sentence.alignment?.[word]?.log_prob;
  return logProb === undefined ? "" : t("see.sure", { percent: percent(Math.exp(logProb)) });
}

/** Offer how the translation could go on instead: the model begins with what stands before the word. */
async function offer(sentence, start) {
  request?.abort();
  request = new AbortController();
  const { signal } = request;
  const prefix = sentence.text.slice(0, start).trimEnd();
  list.replaceChildren(make("li", { className: "note" }, t("see.loading")));
  const texts = await askForOthers(sentence, { prefix }, signal).catch(() => []);
  if (signal.aborted) return;
  const others = texts.filter((text) => text.startsWith(prefix) && text !== sentence.text);
  list.replaceChildren(...others.map((text) => make("li", {}, choiceOf(text, prefix, sentence))));
  place();
}

function choiceOf(text, prefix, sentence) {
  const rest = text.slice(prefix.length).trimStart();
  const short = rest.length > LONGEST ? `${rest.slice(0, LONGEST)}…` : rest;
  const [, word, others] = /^(\S*)(.*)$/s.exec(short);
  const { target } = current();
  const onclick = () => (close(), choose(text, sentence));
  return make("button", { type: "button", lang: target, dir: directionOf(target), onclick }, make("strong", {}, word), others);
}

/** Put the box beside its word. */
function place() {
  const word = linksOf(result.viewAt(at.number).sentence).target[at.word];
  const beside = marks.rangeOf(at.number, "target", word).getBoundingClientRect();
  const { width, height } = box.getBoundingClientRect();
  box.style.left = `${Math.max(8, Math.min(beside.left, innerWidth - width - 8))}px`;
  box.style.top = `${beside.bottom + 6 + height > innerHeight ? Math.max(8, beside.top - height - 6) : beside.bottom + 6}px`;
}

/** Open the box of a word; with `isByKey`, the focus goes into it. */
export function open(number, word, isByKey = false) {
  const { sentence } = result.viewAt(number);
  const found = linksOf(sentence);
  const words = partners(found, "target", word).slice(0, 3).map(([n]) => t("see.nothing", { word: sentence.source.slice(...found.source[n]) }));
  at = { number, word };
  find("word-heading").textContent = sentence.text.slice(...found.target[word]);
  find("word-heading").lang = current().target;
  find("word-from").textContent = words.length ? t("see.from", { words: words.join(", ") }) : "";
  find("word-sure").textContent = sureness(sentence, word);
  find("word-map").hidden = Boolean(current().via); // no map has both sides of two models
  box.showPopover();
  if (list) offer(sentence, found.target[word][0]);
  place();
  if (isByKey) box.querySelector("button:not([hidden])").focus();
}

/** Close it. */
export const close = () => box.hidePopover();

/** Begin. */
export function begin() {
  box.addEventListener("toggle", ({ newState }) => newState === "closed" && request?.abort());
  const act = (id, action) => find(id)?.addEventListener("click", () => (close(), action(at.number, at.word)));
  act("word-map", openMap);
  act("word-others", showOthers);
  onResult(close);
  addEventListener("scroll", close, { capture: true, passive: true }); // its word has moved
}
