// Where another source is chosen than the text seems to be in: "This looks like German."

import { ask } from "../api.js";
import { data, find, languageName, make, t } from "../strings.js";
import * as languages from "./languages.js";
import { current, onResult } from "./translate.js";

const SETTLED_MS = 800; // who types on is not asked
const LONGEST = 1000;
const SURE = 60; // percent
const line = find("hint");
const button = make("button", { type: "button", className: "strong" });

let timer = 0;
let last = { q: "", language: "" }; // what was detected last
let other = ""; // the language that is offered

const baseOf = (code) => code.split("-")[0];

async function detect(q) {
  if (last.q === q) return last.language;
  const [{ language, confidence }] = await ask(data.addresses.detect, { q });
  last = { q, language: confidence >= SURE ? language : "" };
  return last.language;
}

/** Look whether a translation is of a text in another language than the chosen one, and say so. */
async function look(found) {
  const language = await detect(found.q.slice(0, LONGEST).toWellFormed()).catch(() => "");
  if (current() !== found || !language || baseOf(language) === baseOf(found.source)) return;
  other = language;
  const fields = { language: languageName(language) };
  line.firstElementChild.textContent = t("page.looks_like", fields);
  button.textContent = t("page.translate_from", fields);
  line.hidden = false;
}

/** Begin; `onChoose(wish)` is called when the text is to be translated from that language. */
export function begin(onChoose) {
  line.append(button);
  onResult((found) => {
    clearTimeout(timer);
    line.hidden = true;
    if (!found || found.source === languages.AUTO || !/\p{L}\P{L}+\p{L}/u.test(found.q)) return;
    timer = setTimeout(look, SETTLED_MS, found);
  });
  button.addEventListener("click", () => {
    const { q, source, target } = current();
    onChoose({ q, source: other, target: target === other ? source : target });
    find("q").focus(); // the button is gone
  });
}
