// A word in hand: where it comes from and how sure the model was of it, in a small box beside it.

import { t } from "../strings.js";
import { percent } from "../maps.js";
import { linksOf, partners } from "./links.js";
import * as marks from "./marks.js";
import * as result from "./result.js";
import { current, onResult } from "./translate.js";

const find = (id) => document.getElementById(id);
const box = find("word-box");

let at = null; // {number, word}

/** Return what is to be said of a word: its probability, if the model has told it. */
function sureness(sentence, word) {
  const logProb = sentence.alignment?.[word]?.log_prob;
  return logProb === undefined ? "" : t("see.sure", { percent: percent(Math.exp(logProb)) });
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
  const place = marks.rangeOf(number, "target", found.target[word]).getBoundingClientRect();
  const { width, height } = box.getBoundingClientRect();
  box.style.left = `${Math.max(8, Math.min(place.left, innerWidth - width - 8))}px`;
  box.style.top = `${place.bottom + 6 + height > innerHeight ? Math.max(8, place.top - height - 6) : place.bottom + 6}px`;
  if (isByKey) box.querySelector("button:not([hidden])").focus();
}

/** Close it. */
export const close = () => box.hidePopover();

/** Begin; `onMap(number, word)` is called when its map is wanted, `onOthers()` for other translations. */
export function begin(onMap, onOthers) {
  const act = (id, action) => find(id)?.addEventListener("click", () => (close(), action(at.number, at.word)));
  act("word-map", onMap);
  act("word-others", onOthers);
  onResult(close);
  addEventListener("scroll", close, { capture: true, passive: true }); // its word has moved
}
