// The line below the translation: how far it is, that it is done, or what a button has done.
// A screen reader hears of it too, but not of every percent and every pause.

import { find, t } from "../strings.js";

const DONE_AFTER_MS = 1000; // who types on does not want to hear of every pause
const SPOKEN_PERCENT = 25;

const line = find("status");
const spoken = find("spoken");

let isProgress = false;
let step = 0; // of the progress, that was spoken last
let timer = 0;

/** Say something, until something else is to be said; nothing empties the line. */
export function say(text = "") {
  clearTimeout(timer);
  isProgress = false;
  line.textContent = spoken.textContent = text;
}

/** Say that the text is being translated, and how far it is if that is known, in percent. */
export function sayProgress(percent = null) {
  clearTimeout(timer);
  isProgress = true;
  line.textContent = percent === null ? t("page.translating") : t("page.percent", { percent });
  const now = Math.floor(percent / SPOKEN_PERCENT);
  if (now > step) spoken.textContent = line.textContent;
  step = now;
}

/** Take back how far the translation was; anything else stays. */
export function endProgress() {
  if (isProgress) line.textContent = "";
  isProgress = false;
}

/** Say that all is translated, unless something else has been said since it began. */
export function sayDone() {
  if (!isProgress) return;
  isProgress = false;
  line.textContent = t("page.done");
  timer = setTimeout(() => (spoken.textContent = line.textContent), DONE_AFTER_MS);
}
