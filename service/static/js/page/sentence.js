// The sentence in hand: what is to be said of it, and the model's other translations.

import { ask } from "../api.js";
import { data, directionOf, has, languageName, make, t } from "../strings.js";
import { fragmentOf } from "../link.js";
import * as choices from "./choices.js";
import { linksOf, takeLinks } from "./links.js";
import * as marks from "./marks.js";
import { wrongNumbers } from "./numbers.js";
import * as result from "./result.js";
import { say } from "./status.js";
import { current, fieldsOf, noteReplaced, onResult } from "./translate.js";
import * as undo from "./undo.js";

const find = (id) => document.getElementById(id);
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
  find("sentence-heading").textContent =
    numbers.length === 1
      ? t("see.one_sentence")
      : t("see.sentence_of", { number: place + 1, count: numbers.length });
  find("sentence-text").textContent = numbers.length === 1 ? "" : sentence.source;
  find("sentence-text").hidden = numbers.length === 1;
  find("sentence-text").lang = current().from ?? "";
  find("previous").hidden = find("next").hidden = numbers.length === 1;
  find("previous").disabled = place === 0;
  find("next").disabled = place === numbers.length - 1;
  find("notes").replaceChildren(...notesOn(sentence));
  button.hidden = data.alternativesLimit === 0;
  find("show-attention").hidden = find("see-hint").hidden = Boolean(current().via);
  if (isOther) editor.hidden = true;
  if (document.activeElement !== field) field.value = sentence.text;
  if (isOther || list.hidden) hideAlternatives();
  else drawAlternatives();
  marks.take(number);
}

function notesOn(sentence) {
  const notes = result.flagsOf(sentence).map((flag) =>
    make("li", {}, has(`see.notes.${flag}`) ? t(`see.notes.${flag}`) : t("see.flags.other", { flag })),
  );
  notes.push(...wrongNumbers(sentence).map((text) => make("li", {}, text)));
  const { target: code, via } = current();
  if (via) notes.push(make("li", {}, t("see.two_models", { language: languageName(via) })), firstModel(sentence));
  const { target, unsure } = linksOf(sentence);
  if (unsure.length) {
    const words = unsure.flatMap((n) => [
      " ",
      make("span", { className: "doubt", lang: code, dir: directionOf(code) }, sentence.text.slice(...target[n])),
    ]);
    notes.push(make("li", {}, t("see.doubts"), ...words));
  }
  return notes;
}

/** Return a link to what the first of two models attends to. */
function firstModel({ source: q }) {
  const { from, source, via } = current();
  const pair = { source: from ?? source, target: via };
  const names = { source: languageName(pair.source), target: languageName(via) };
  const href = data.addresses.attends + fragmentOf({ ...pair, q });
  return make("li", {}, make("a", { href }, t("see.first_model", names)));
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
  const { from, source } = current();
  button.setAttribute("aria-expanded", "true");
  list.hidden = false;
  const name = key(sentence);
  if (!offered.has(name)) {
    list.replaceChildren(make("li", { className: "note" }, t("see.loading")));
    const wish = { ...current(), source: from ?? source };
    const fields = { ...fieldsOf(wish, sentence.source), alternatives: data.alternativesLimit };
    try {
      const answer = await ask(data.addresses.translate, fields);
      offered.set(name, [...new Set([sentence.text, answer.translatedText, ...answer.alternatives])]);
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
  const choice = make("button", { type: "button", lang: target, dir: directionOf(target) }, ...compared(text, sentence.text));
  if (text === sentence.text) choice.setAttribute("aria-current", "true");
  choice.addEventListener("click", () => choose(text, sentence));
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
  const { from, source, target } = current();
  const { sentence } = result.viewAt(number);
  const fields = { q: sentence.source, s: sentence.text, source: from ?? source, target };
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
async function linkWords({ from, source, target, via }) {
  for (const sentence of result.sentences().filter(({ own }) => own && !own.isAsked && !via)) {
    sentence.own.isAsked = true;
    const fields = { q: sentence.source, source: from ?? source, target, translation: sentence.text };
    const answer = await ask(data.addresses.attention, fields).catch(() => null);
    if (answer) takeLinks(sentence, answer);
  }
}

/** Begin; `onMap(number)` is called when the map of the sentence is wanted. */
export function begin(onMap) {
  button.addEventListener("click", showAlternatives);
  beginEditing();
  find("show-attention").addEventListener("click", () => onMap(number));
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
