// Numbers of a sentence that are not those of its translation, in words.

import { t } from "../strings.js";

/** Return what to say of a sentence: which numbers only one side has. */
export function wrongNumbers({ numbers }) {
  const said = [];
  if (numbers?.missing.length) said.push(t("see.notes.numbers_missing", { numbers: numbers.missing.join(", ") }));
  if (numbers?.added.length) said.push(t("see.notes.numbers_added", { numbers: numbers.added.join(", ") }));
  return said;
}
