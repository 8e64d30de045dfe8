// Translate while the reader types: wait for a pause, drop what is under way, show what comes.

import { askForEvents, RequestError } from "../api.js";
import { data, languageName, t } from "../strings.js";
import * as key from "../key.js";
import * as languages from "./languages.js";
import * as result from "./result.js";
import { plan } from "./reuse.js";
import { endProgress, say, sayDone, sayProgress } from "./status.js";
import { countCharacters } from "./text.js";

const DEBOUNCE_MS = 250;
const SLOW_MS = 400; // after which it is said that something is under way

const q = document.getElementById("q");
const pane = result.box.closest(".pane");
const progress = document.getElementById("progress");
const error = document.getElementById("error");
const listeners = [];

let timer = 0;
let running = null; // AbortController of the request under way
let shown = null; // the last whole translation: {q, source, target, from, sentences}
let isWhole = false; // whether that is what stands on the right

/** Call a function with each whole translation, and with null when there is none any more. */
export const onResult = (listener) => listeners.push(listener);

/** Return what the translation on the page is of; null unless it is of the text beside it. */
export const current = () => (isWhole && shown?.q === q.value ? shown : null);

/** Take note that a sentence on the right was replaced. */
export function noteReplaced() {
  if (shown) settle({ ...shown, sentences: result.sentences() });
}

export function translateSoon() {
  clearTimeout(timer);
  running?.abort();
  timer = setTimeout(translate, DEBOUNCE_MS);
}

function cancel() {
  clearTimeout(timer);
  running?.abort();
  running = null;
  setBusy(false);
}

/**
 * Show an error above the panes, with a button to try again where that may help.
 *
 * What stands below them is pale then, and the line below it says why.
 */
function fail(problem) {
  error.firstElementChild.textContent = problem.message;
  error.children[1].textContent = problem.detail;
  document.getElementById("retry").hidden = ![0, 429, 500, 503, 504].includes(problem.status);
  error.hidden = key.isRefusal(problem.code); // the form of the key says it
  const isOutdated = result.count() > 0;
  result.box.classList.toggle("outdated", isOutdated);
  say(isOutdated ? t("page.outdated") : "");
  for (const listener of listeners) listener(null); // what stands there is of another text
}

function setBusy(isBusy) {
  pane.setAttribute("aria-busy", String(isBusy));
  if (!isBusy) {
    progress.hidden = true;
    endProgress();
  }
}

function showProgress(done, whole) {
  const share = Math.min(1, done / whole);
  progress.hidden = false;
  progress.setAttribute("aria-valuenow", Math.round(100 * share));
  progress.firstElementChild.style.transform = `scaleX(${share})`;
  sayProgress(Math.round(100 * share));
}

function settle(found) {
  shown = found;
  isWhole = found !== null;
  for (const listener of listeners) listener(found);
}

/** Translate what stands on the left, now. */
export async function translate() {
  cancel();
  say();
  error.hidden = true;
  result.box.classList.remove("outdated");
  const text = q.value;
  if (text.trim() === "") {
    result.clear();
    languages.noteDetected(null);
    settle(null);
    return;
  }
  const length = countCharacters(text);
  if (length > data.charLimit && !key.read()) { // a key may allow more: the server knows
    const over = length - data.charLimit;
    fail(new RequestError(t("page.too_long", { count: length, limit: data.charLimit, over }), { status: 413 }));
    return;
  }
  const request = new AbortController();
  running = request;
  setBusy(true);
  const started = performance.now();
  try {
    const found = await stream(text, request.signal, (done) => {
      if (running === request && performance.now() - started > SLOW_MS) showProgress(done, length);
    });
    if (running === request) settle(found);
  } catch (problem) {
    if (running === request) fail(problem);
  }
  if (running === request) {
    running = null;
    setBusy(false);
  }
}

/** Ask for what is new in a text and show its sentences as they come; return what it was of. */
async function stream(text, signal, onProgress) {
  const pair = languages.chosen();
  const isSamePair = shown?.source === pair.source && shown.target === pair.target;
  const parts = plan(isSamePair ? shown.sentences : [], text, isSamePair ? shown.q : "");
  const isPart = parts.before.length + parts.after.length > 0;
  const fields = {
    q: parts.middle.toWellFormed(), // half an emoji cannot be sent
    source: isPart && shown.from ? shown.from : pair.source,
    target: pair.target,
    alignment: true,
  };
  let { from, via } = isPart ? shown : { from: pair.from, via: "" };
  const queue = [];
  let frame = 0;
  const flush = () => {
    frame = 0;
    if (signal.aborted) return;
    for (const sentence of queue.splice(0)) result.putNext(sentence);
    onProgress(result.charactersDone());
  };
  isWhole = false;
  result.openWindow(parts.before, parts.after);
  try {
    await askForEvents(data.addresses.translate, fields, signal, (event) => {
      if (event.type === "sentence") {
        queue.push(event);
        frame ||= requestAnimationFrame(flush);
      } else if (!isPart) {
        from = event.answer.detectedLanguage?.language ?? from;
        via = event.answer.via ?? "";
      }
    });
  } finally {
    cancelAnimationFrame(frame);
  }
  flush();
  result.closeWindow();
  if (languages.avoidTarget(from)) setTimeout(translate);
  languages.noteDetected(pair.source === "auto" ? from : null);
  if (from === pair.target) say(t("page.same_language", { language: languageName(from) }));
  else sayDone();
  return { q: text, source: pair.source, target: pair.target, from, via, sentences: result.sentences() };
}

/** Go on when the connection is back. */
addEventListener("online", () => {
  if (!error.hidden) translate();
});
document.getElementById("retry").addEventListener("click", translate);
