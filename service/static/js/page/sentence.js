// The sentence in hand: what is to be said of it, and the model's other translations.

import { ask } from "../api.js";
import { data, directionOf, find, languageName, make, t } from "../strings.js";
import { fragmentOf } from "../link.js";
import * as choices from "./choices.js";
import { openMap } from "./dialog.js";
import { linksOf, takeLinks } from "./links.js";
import * as marks from "./marks.js";
import { flagsOf, meaningOf, wrongNumbers } from "./notes.js";
import * as result from "./result.js";
import { say } from "./status.js";
import { askForOthers, current, noteReplaced, onResult } from "./translate.js";
import * as undo from "./undo.js";

const card = find("sentence");
const list = find("alternatives");
const button = find("show-alternatives");
const editor = find("edit");
const field = find("edit-text");
const offered = new Map(); // by source and languages: translations to choose from

let number = 0;

const withText = () => [...Array(result.count()).keys()].filter((n) => result.viewAt(n).sentence.source);

/** Take a sentence in hand. */
export function take(wanted) {
  const numbers = withText();
  card.hidden = numbers.length === 0 || !current();
  if (card.hidden) return marks.take(-1);
  const isOther = number !== wanted;
  number = numbers.includes(wanted) ? wanted : numbers[0];
  const place = numbers.indexOf(number);
  const { sentence } = result.viewAt(number);
  const isOnly = numbers.length === 1;
  find("sentence-heading").textContent = isOnly
    ? t("see.one_sentence")
    : t("see.sentence_of", { number: place + 1, count: numbers.length });
  find("sentence-text").textContent = sentence.source;
  find("sentence-text").lang = current().from;
  for (const id of ["sentence-text", "previous", "next"]) find(id).hidden = isOnly;
  find("previous").disabled = place === 0;
  find("next").disabled = place === numbers.length - 1;
  find("notes").replaceChildren(...notesOn(sentence));
  find("show-attention").hidden = find("see-hint").hidden = Boolean(current().via);
  if (isOther) editor.hidden = true;
  if (document.activeElement !== field) field.value = sentence.text;
  if (isOther || list.hidden) hideAlternatives();
  else drawAlternatives();
  marks.take(number);
}

function notesOn(sentence) {
  const { target: code, via } = current();
  const notes = [...flagsOf(sentence).map((flag) => meaningOf(flag).note), ...wrongNumbers(sentence.numbers)];
  if (via) notes.push(t("see.two_models", { language: languageName(via) }), firstModel(sentence));
  const { target, unsure } = linksOf(sentence);
  const words = unsure.flatMap((n) => [
    " ",
    make("span", { className: "doubt", lang: code, dir: directionOf(code) }, sentence.text.slice(...target[n])),
  ]);
  if (words.length) notes.push([t("see.doubts"), ...words]);
  return notes.map((note) => make("li", {}, ...[note].flat()));
}

/** Return a link to what the first of two models attends to. */
function firstModel({ source: q }) {
  const { from: source, via: target } = current();
  const names = { source: languageName(source), target: languageName(target) };
  const href = data.addresses.attends + fragmentOf({ source, target, q });
  return make("a", { href }, t("see.first_model", names));
}

function hideAlternatives() {
  list.hidden = true;
  button.setAttribute("aria-expanded", "false");
}

const key = (sentence) => JSON.stringify([sentence.source, current().from, current().target]);

/** Ask once for other translations of the sentence, and list them with the one that it has. */
async function showAlternatives() {
  if (!current()) return;
  if (!list.hidden) return hideAlternatives();
  const { sentence } = result.viewAt(number);
  button.setAttribute("aria-expanded", "true");
  list.hidden = false;
  const name = key(sentence);
  if (!offered.has(name)) {
    list.replaceChildren(make("li", { className: "note" }, t("see.loading")));
    try {
      offered.set(name, [...new Set([sentence.text, ...(await askForOthers(sentence))])]);
    } catch (problem) {
      list.replaceChildren(make("li", { className: "error", role: "alert" }, problem.message));
      return;
    }
  }
  if (!list.hidden && current()) drawAlternatives();
}

/** Show other translations of a sentence, and go there. */
export function showOthers(wanted) {
  take(wanted);
  if (list.hidden) showAlternatives();
  button.focus();
  card.scrollIntoView({ block: "nearest" });
}

function drawAlternatives() {
  const { sentence } = result.viewAt(number);
  const known = offered.get(key(sentence)) ?? [];
  const choices = known.includes(sentence.text) ? known : [sentence.text, ...known];
  list.replaceChildren(...choices.map((text) => item(text, sentence)));
  if (choices.length < 2) list.append(make("li", { className: "note" }, t("see.no_alternatives")));
}

function item(text, sentence) {
  const { target } = current();
  const properties = { type: "button", lang: target, dir: directionOf(target), onclick: () => choose(text, sentence) };
  const choice = make("button", properties, ...compared(text, sentence.text));
  if (text === sentence.text) choice.ariaCurrent = "true";
  return make("li", {}, choice);
}

/** Return a text with the words marked that another does not have. */
function compared(text, other) {
  const known = new Set(other.split(/\s+/));
  return text.split(/(\s+)/).map((word) => (/\S/.test(word) && !known.has(word) ? make("mark", {}, word) : word));
}

/** Put a text in the place of a sentence in hand; it can be taken back. */
export function choose(text, { name, text: shown }) {
  if (text === shown || !current()) return;
  if (result.viewAt(number)?.sentence.name !== name) return; // the list is of a sentence that has gone
  const before = choices.textOf(name);
  replace(name, text);
  undo.note(() => replace(name, before));
  say(t("see.chosen"));
}

/** Put a text in the place of a sentence, or its own translation (null); return whether it is there. */
function replace(name, text) {
  const places = withText().filter((place) => result.viewAt(place).sentence.name === name);
  const hadFocus = list.contains(document.activeElement);
  choices.set(name, text);
  for (const place of places) result.replace(place, choices.applied(result.viewAt(place).sentence));
  if (places.length === 0) return false;
  noteReplaced();
  if (hadFocus) list.querySelector("[aria-current]")?.focus();
  return true;
}

/** Open the sentence in hand for editing, or close it. */
function edit() {
  editor.hidden = !editor.hidden;
  const { sentence } = result.viewAt(number);
  Object.assign(field, { value: sentence.text, lang: current().target, dir: directionOf(current().target) });
  if (!editor.hidden) field.focus();
}

/** Offer what stands in the place of a sentence to those who run the server. */
async function suggest() {
  const { from: source, target } = current();
  const { sentence } = result.viewAt(number);
  const fields = { q: sentence.source, s: sentence.text, source, target };
  say(await ask(data.addresses.suggest, fields).then(() => t("see.suggested"), (problem) => problem.message));
}

/** Keep what was written when the field is left, however that is. */
function beginEditing() {
  find("show-edit").addEventListener("click", edit);
  field.addEventListener("change", () => choose(field.value, result.viewAt(number)?.sentence ?? {}));
  field.addEventListener("keydown", (event) => {
    if (event.key === "Escape") field.value = result.viewAt(number).sentence.text;
    else if (event.key !== "Enter" || event.isComposing) return;
    event.preventDefault();
    find("show-edit").focus();
    editor.hidden = true;
  });
  find("suggest")?.addEventListener("click", suggest);
}

/** Find out which words of chosen translations belong to which; without an answer, none do. */
async function linkWords({ from: source, target, via }) {
  for (const sentence of result.sentences().filter(({ own }) => own && !own.isAsked && !via)) {
    sentence.own.isAsked = true;
    const fields = { q: sentence.source, source, target, translation: sentence.text };
    const answer = await ask(data.addresses.attention, fields).catch(() => null);
    if (answer) takeLinks(sentence, answer);
  }
}

/** Begin. */
export function begin() {
  button.addEventListener("click", showAlternatives);
  beginEditing();
  find("show-attention").addEventListener("click", () => openMap(number));
  for (const [id, step] of [["previous", -1], ["next", 1]]) {
    find(id).addEventListener("click", () => {
      const numbers = withText();
      take(numbers[numbers.indexOf(number) + step] ?? number);
    });
  }
  onResult((found, isPending) => {
    card.inert = !found;
    if (found) linkWords(found);
    if (found) return take(Math.min(number, result.count() - 1));
    if (isPending) return; // it stays until it is known what comes
    card.hidden = true;
    marks.take(-1);
  });
}
