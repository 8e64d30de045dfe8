// How the translation addresses its reader: shown where the model of the pair has learned a choice.

import { data, find } from "../strings.js";
import * as languages from "./languages.js";

const line = find("formality-line");
const select = find("formality");

const canChoose = (from, target) =>
  data.languages.some(({ code, formality = [] }) => (!from || code === from) && formality.includes(target));

/** Return the form that is asked for; where it depends on a language yet to be detected, for that. */
export function chosen() {
  const { source, target } = languages.chosen();
  return canChoose(source === languages.AUTO ? null : source, target) ? select.value : "default";
}

/** Choose a form, unless there is no such one. */
export function choose(form) {
  select.value = form ?? "default";
  if (!select.value) select.value = "default";
}

/** Show the choice where there is one. */
export function update() {
  const { from, target } = languages.chosen();
  line.hidden = !canChoose(from, target);
}

/** Begin; `onChange` is called for every choice. */
export function begin(onChange) {
  select.addEventListener("change", onChange);
  languages.onUpdate(update);
}
