// A page without a text offers one to begin with, in the language that is translated from.

import { data, directionOf, find } from "../strings.js";
import { sampledOf, sampleIn } from "../samples.js";
import * as languages from "./languages.js";

const q = find("q");
const button = find("example");
const words = button.lastElementChild;

/** Offer the sentence for the chosen pair; nothing where there is a text, or no sentence. */
export function update() {
  const { source, target } = languages.chosen();
  const code = source === languages.AUTO ? sampledOf(languages.sourcesOf(target), data.lang) : source;
  const isOffered = q.value === "" && sampleIn(code) !== "";
  button.hidden = !isOffered;
  if (!isOffered) return;
  words.textContent = sampleIn(code);
  words.lang = code;
  words.dir = directionOf(code);
}

/** Begin; `onChoose(text)` is called when the sentence is wanted. */
export function begin(onChoose) {
  button.addEventListener("click", () => {
    onChoose(words.textContent);
    find("translation").focus(); // the button is gone: the arrow keys go on there
  });
  update();
}
