// What is to be said of a sentence, in words.

import { has, t } from "../strings.js";

/** Return the flags of a sentence; that it was cut off is one more. */
export function flagsOf({ flags = [], finish_reasons: reasons = [] }) {
  return [...new Set([...flags, ...(reasons.includes("length") ? ["length"] : [])])];
}

/** Return what a flag means: in a few words, and in a sentence where there is one. */
export function meaningOf(flag) {
  const label = has(`see.flags.${flag}`) ? t(`see.flags.${flag}`) : t("see.flags.other", { flag });
  return { label, note: has(`see.notes.${flag}`) ? t(`see.notes.${flag}`) : label };
}

/** Return what to say of numbers that only one side has. */
export function wrongNumbers(numbers) {
  const sides = ["missing", "added"].filter((side) => numbers?.[side].length);
  return sides.map((side) => t(`see.notes.numbers_${side}`, { numbers: numbers[side].join(", ") }));
}
