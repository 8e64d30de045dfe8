// Translate while the reader types. What is wanted, what is asked for and what is shown are three
// things: an answer belongs to the wish that it answers, and nothing acts on one that is outdated.

import { ask, askForEvents, quietMs, RequestError } from "../api.js";
import { data, find, languageName, t } from "../strings.js";
import * as key from "../key.js";
import * as choices from "./choices.js";
import * as formality from "./formality.js";
import * as glossary from "./glossary.js";
import * as languages from "./languages.js";
import * as result from "./result.js";
import { plan } from "./reuse.js";
import { endProgress, say, sayDone, sayProgress } from "./status.js";
import { commonEnds, countCharacters } from "./text.js";

const DEBOUNCE_MS = 250;
const SLOW_MS = 400; // after which it is said how much is done
const LONGEST_PAUSE_MS = 60_000;
const LARGE = { edit: 100, share: 0.2 }; // an edit after which the language is detected again

const q = find("q");
const pane = result.box.closest(".pane");
const progress = find("progress");
const error = find("error");
const goesOn = find("goes-on");
const listeners = [];

let timer = 0;
let running = null; // AbortController of the request under way
let shown = null; // the wish whose whole translation stands on the right, with `from`, its language, and `via`
let told = null; // what the listeners have been told
let failures = 0; // one after the other
let detected = null; // {pair, q, from, via, drift}: of the last text, and how much was edited since

/**
 * Call `listener(found, isPending)` with each whole translation, and with null when what stands on the
 * right is none of the text beside it: because another is on its way, or because there is none.
 */
export const onResult = (listener) => listeners.push(listener);

/** Return what the reader wants: text, pair, form and terms. */
export function wanted() {
  const { source, target } = languages.chosen();
  return { q: q.value, source, target, formality: formality.chosen(), terms: glossary.chosen() };
}

const pairOf = ({ source, target, formality, terms }) => JSON.stringify([source, target, formality, terms]);
const isSame = (one, other) => one.q === other.q && pairOf(one) === pairOf(other);

/** Return what stands on the right, whole; null unless it is what the reader wants. */
export const current = () => (shown && isSame(shown, wanted()) ? shown : null);

function tell(isPending) {
  const found = current();
  const news = found ?? isPending;
  if (news === told) return;
  told = news;
  for (const listener of listeners) listener(found, isPending);
}

/** Take note that a sentence on the right was replaced. */
export function noteReplaced() {
  if (shown) shown = { ...shown };
  tell(running !== null);
}

/** Translate after a pause; what stands there is outdated at once. */
export function translateSoon() {
  stop();
  if (error.hidden) say();
  tell(true);
  if (quietMs() > DEBOUNCE_MS) goOnIn(quietMs());
  else timer = setTimeout(translate, DEBOUNCE_MS);
}

function stop() {
  clearTimeout(timer);
  running?.abort();
  running = null;
  setBusy(false);
}

/** Try again by itself, and say when. */
function goOnIn(ms) {
  const end = Date.now() + ms;
  const wait = () => {
    const seconds = Math.ceil((end - Date.now()) / 1000);
    goesOn.textContent = seconds > 0 ? t("page.goes_on", { seconds }) : "";
    timer = seconds > 0 ? setTimeout(wait, 1000) : setTimeout(() => translate({ isAgain: true }));
  };
  clearTimeout(timer);
  wait();
}

/**
 * Show an error above the panes, and go on by itself where that may help, with growing pauses.
 *
 * What stands below them is pale then, and the line below it says why.
 */
function fail(problem) {
  const isLimited = problem.status === 429;
  const [message, detail] = error.querySelectorAll("p");
  message.textContent = isLimited ? t("page.limited") : problem.message;
  detail.textContent = problem.detail;
  const isPassing = isLimited || [0, 502, 503].includes(problem.status);
  find("retry").hidden = isLimited || !(isPassing || [500, 504].includes(problem.status));
  error.hidden = key.isRefusal(problem.code); // the form of the key says it
  const isOutdated = result.count() > 0;
  result.box.classList.toggle("outdated", isOutdated);
  say(isOutdated ? t("page.outdated") : "");
  tell(false);
  const pause = Math.min(LONGEST_PAUSE_MS, 1000 * 2 ** failures++) * (0.75 + Math.random() / 4);
  if (isPassing && navigator.onLine) goOnIn(isLimited ? quietMs() : Math.max(pause, 1000 * problem.waitS));
}

function endError() {
  error.hidden = true;
  goesOn.textContent = "";
  result.box.classList.remove("outdated");
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

/** Translate what stands on the left, now; `isAgain` is by itself, after an error that still shows. */
export async function translate({ isAgain = false } = {}) {
  stop();
  const wish = wanted();
  if (!isAgain || current()) endError();
  if (current()) return tell(false);
  if (!isAgain) say();
  if (wish.q.trim() === "") {
    result.clear();
    languages.noteDetected(null);
    shown = null;
    return tell(false);
  }
  const length = countCharacters(wish.q);
  if (length > data.charLimit && !key.read()) { // a key may allow more: the server knows
    const over = length - data.charLimit;
    return fail(new RequestError(t("page.too_long", { count: length, limit: data.charLimit, over }), { status: 413 }));
  }
  const request = new AbortController();
  running = request;
  setBusy(true);
  if (!isAgain) sayProgress();
  tell(true);
  const started = performance.now();
  let problem = null;
  const isSlow = () => performance.now() - started > SLOW_MS;
  try {
    const found = await stream(wish, request.signal, () => isSlow() && showProgress(result.charactersDone(), length));
    if (running !== request) return undefined;
    shown = found;
    failures = 0;
  } catch (caught) {
    if (running !== request) return undefined;
    problem = caught;
  }
  running = null;
  setBusy(false);
  return problem ? fail(problem) : tell(false);
}

/** Note how much of the text was edited since its language was detected; return whether to detect it anew. */
function isToBeDetected(wish) {
  if (wish.source !== languages.AUTO) return false;
  if (detected?.pair !== pairOf(wish)) return true;
  const [start, end] = commonEnds(detected.q, wish.q);
  detected.drift += detected.q.length + wish.q.length - 2 * (start + end);
  detected.q = wish.q;
  return detected.drift > Math.max(LARGE.edit, LARGE.share * wish.q.length);
}

/** Take note of the language of the text, as soon as it is known; return whether another target is better. */
function takeLanguage(wish, found = null) {
  const from = wish.source === languages.AUTO ? found : wish.source;
  detected = { pair: pairOf(wish), q: wish.q, from, via: "", drift: 0 };
  if (wish.source !== languages.AUTO) return false;
  languages.noteDetected(from);
  return languages.avoidTarget(from);
}

/** Ask for what is new in a text and show its sentences as they come; return what it was of. */
async function stream(wish, signal, onProgress) {
  const pair = pairOf(wish);
  const onPage = result.sentences();
  const others = onPage.findIndex((sentence) => sentence.pair !== pair);
  const isWhole = isToBeDetected(wish) || detected?.pair !== pair;
  const parts = plan(isWhole ? [] : onPage.slice(0, others < 0 ? Infinity : others), wish.q, others < 0);
  const isPart = parts.before.length + parts.after.length > 0;
  const queue = [];
  let frame = 0;
  let isFirst = !isPart;
  const flush = () => {
    cancelAnimationFrame(frame);
    frame = 0;
    if (signal.aborted || queue.length === 0) return;
    if (!error.hidden) {
      endError();
      sayProgress();
    }
    shown = null; // from here on it is neither the former translation nor this one
    for (const sentence of queue.splice(0)) result.putNext(choices.applied(sentence));
    onProgress();
  };
  result.openWindow(parts.before.length, parts.after.length);
  const onEvent = (event) => {
    if (event.type === "answer") {
      if (!isPart) detected.via = event.answer.via ?? "";
      return;
    }
    if (isFirst && takeLanguage(wish, event.detectedLanguage?.language)) return void translate();
    isFirst = false;
    queue.push({ ...event, pair, name: choices.nameOf(event, { ...wish, from: detected.from }) });
    frame ||= requestAnimationFrame(flush);
  };
  const fields = fieldsOf(isPart ? { ...wish, from: detected.from } : wish, parts.middle);
  try {
    await askForEvents(data.addresses.translate, { ...fields, alignment: true }, signal, onEvent);
  } finally {
    flush();
  }
  result.closeWindow();
  const { from, via } = detected;
  if (wish.source === languages.AUTO) languages.noteDetected(from);
  if (from === wish.target) say(t("page.same_language", { language: languageName(from) }));
  else sayDone();
  return { ...wish, from: from ?? wish.source, via };
}

/** Return what is sent for a text, as a pair with its form and terms wants it. */
function fieldsOf({ source, from, target, formality, terms }, q) {
  const fields = { q: q.toWellFormed(), source: from ?? source, target }; // half an emoji cannot be sent
  if (terms.length) fields.glossary = terms;
  return formality === "default" ? fields : { ...fields, formality: `prefer_${formality}` };
}

/** Return translations of a sentence on the right, the best first; `more` says what they are to be like. */
export async function askForOthers(sentence, more = {}, signal = null) {
  const fields = { ...fieldsOf(current(), sentence.source), ...more, alternatives: data.alternativesLimit };
  const { translatedText, alternatives = [] } = await ask(data.addresses.translate, fields, signal);
  return [...new Set([translatedText, ...alternatives])];
}

/** Go on when the connection is back. */
addEventListener("online", () => {
  if (!error.hidden) translate();
});
find("retry").addEventListener("click", translate);
