// Terms and their translations, one pair a line, kept in this browser for each target language.

import { find } from "../strings.js";
import { inBrowser } from "../storage.js";
import * as languages from "./languages.js";

const NAME = "translator.glossary";
const field = find("glossary-lines");
const note = find("glossary-count");

const all = () => inBrowser.read(NAME) ?? {};

/** Return the terms that are to be used, as [term, translation]; a line without both is none. */
export function chosen() {
  const lines = field.value.split("\n").map((line) => /^\s*(.+?)\s*=\s*(.+?)\s*$/.exec(line));
  return lines.filter(Boolean).map(([, term, translation]) => [term, translation]);
}

const plain = (text) => text.toLowerCase();

/** Return the spans of a translation in which a term of its sentence was used. */
export function usedIn({ source, text }) {
  return chosen().flatMap(([term, translation]) => {
    const start = plain(source).includes(plain(term)) ? plain(text).indexOf(plain(translation)) : -1;
    return start < 0 ? [] : [[start, start + translation.length]];
  });
}

function show() {
  const { target } = languages.chosen();
  if (field.dataset.target === target) return;
  field.dataset.target = target;
  field.value = String(all()[target] ?? "");
  count();
}

function count() {
  note.textContent = chosen().length || "";
}

/** Begin; `onChange` is called when other terms are to be used. */
export function begin(onChange) {
  languages.onUpdate(show);
  field.addEventListener("input", count);
  field.addEventListener("change", () => {
    const { [field.dataset.target]: _, ...others } = all();
    inBrowser.write(NAME, field.value.trim() ? { ...others, [field.dataset.target]: field.value } : others);
    onChange();
  });
  show();
}
