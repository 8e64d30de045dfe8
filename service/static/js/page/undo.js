// Take back what a button has done to the text: clearing, swapping, choosing.

import { find, t } from "../strings.js";
import { say } from "./status.js";

const button = find("undo");
const q = find("q");
const MOST = 50;
const steps = [];

/** Note how to take back what was just done; `takeBack` returns false if that is gone by then. */
export function note(takeBack) {
  steps.push({ takeBack, q: q.value });
  if (steps.length > MOST) steps.shift();
  button.disabled = false;
}

/** Forget all steps. */
export function forget() {
  steps.length = 0;
  button.disabled = true;
}

function undo() {
  let isDone = false;
  while (steps.length && !isDone) isDone = steps.pop().takeBack() !== false;
  button.disabled = steps.length === 0;
  if (isDone) say(t("page.undone"));
  if (steps.length === 0) q.focus();
}

button.addEventListener("click", undo);

// Where nothing was typed since, Ctrl+Z means the button; else it is the browser's own.
q.addEventListener("keydown", (event) => {
  const isUndo = (event.ctrlKey || event.metaKey) && !event.shiftKey && event.key.toLowerCase() === "z";
  if (isUndo && steps.length && steps.at(-1).q === q.value) {
    event.preventDefault();
    undo();
  }
});
