// The line below the translation: how far it is, that it is done, or what a button has done.

import { t } from "../strings.js";

const DONE_AFTER_MS = 1000; // who types on does not want to hear of every pause

const line = document.getElementById("status");

let isProgress = false;
let timer = 0;

/** Say something, until something else is to be said; nothing empties the line. */
export function say(text = "") {
  clearTimeout(timer);
  isProgress = false;
  line.textContent = text;
}

/** Say how far the translation is, in percent. */
export function sayProgress(percent) {
  say(t("page.percent", { percent }));
  isProgress = true;
}

/** Take back how far the translation was; anything else stays. */
export function endProgress() {
  if (isProgress) line.textContent = "";
  isProgress = false;
}

/** Say a little later that all is translated, unless something else has been said by then. */
export function sayDone() {
  clearTimeout(timer);
  timer = setTimeout(() => line.textContent || say(t("page.done")), DONE_AFTER_MS);
}
