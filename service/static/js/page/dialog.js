// The attention map of a sentence in a dialog, by kind, layer and head.

import { ask } from "../api.js";
import { explore } from "../explorer.js";
import { asPng, fileOf } from "../maps.js";
import { data, find, t } from "../strings.js";
import { fragmentOf } from "../link.js";
import { download } from "./blobs.js";
import { linksOf, piecesIn } from "./links.js";
import * as result from "./result.js";
import { current } from "./translate.js";

const dialog = find("attention");
const problem = find("attention-problem");
const kinds = [...document.querySelectorAll("input[name=kind]")];
const answers = new Map(); // by the request, as long as the page is open

let open = null; // {sentence, word, translation} that is shown
let request = null;

const MOST_KEPT = 50;

async function fetchMaps(fields, signal) {
  const key = JSON.stringify(fields);
  if (!answers.has(key)) {
    if (answers.size >= MOST_KEPT) answers.delete(answers.keys().next().value);
    answers.set(key, await ask(data.addresses.attention, fields, signal));
  }
  return answers.get(key);
}

/** Show the kind of map that is chosen. */
async function show() {
  const kind = kinds.find((one) => one.checked).value;
  find("attention-what").textContent = t(`see.what.${kind}`);
  request?.abort();
  request = new AbortController();
  const { signal } = request;
  const { sentence, translation } = open;
  problem.hidden = true;
  dialog.setAttribute("aria-busy", "true");
  try {
    const { from: source, target } = translation;
    const fields = { q: sentence.source, source, target, translation: sentence.text, kinds: [kind] };
    const answer = await fetchMaps(fields, signal);
    if (signal.aborted) return;
    const marked = markedRows(kind, answer);
    explore({ answer, kind, choices: find("thumbnails"), place: find("map"), value: find("map-value"), marked });
  } catch (failure) {
    if (signal.aborted) return;
    problem.textContent = failure.message;
    problem.hidden = false;
    for (const id of ["map", "map-value"]) find(id).replaceChildren();
    document.querySelectorAll("#thumbnails .layer").forEach((row) => row.remove());
  }
  find("thumbnails").hidden = find("save-map").hidden = !problem.hidden;
  dialog.removeAttribute("aria-busy");
}

/** Return the rows of the pieces of the word that was clicked. */
function markedRows(kind, answer) {
  const { sentence, word } = open;
  if (word === null || kind === "encoder") return [];
  const rows = piecesIn(answer.target, sentence.text, linksOf(sentence).target[word]);
  // a row of the cross-attention is named by the piece that is written there, one further on
  return kind === "cross" ? rows.map((row) => row - 1) : rows;
}

/** Open the map of a sentence, its rows of one word set off. */
export function openMap(number, word = null) {
  const translation = current();
  if (!translation || translation.via) return; // no map has both sides of two models
  const { sentence } = result.viewAt(number);
  open = { sentence, word, translation };
  const { from: source, target } = translation;
  const fragment = fragmentOf({ source, target, q: sentence.source });
  find("attends-link").href = data.addresses.attends + fragment;
  kinds[0].checked = true;
  dialog.showModal();
  show();
}

/** Save the large map as a picture of some kind. */
async function save(kind) {
  const file = fileOf(find("map").firstElementChild, getComputedStyle(dialog).backgroundColor);
  download(kind === "svg" ? file : await asPng(file), `attention.${kind}`);
}

/** Begin. */
export function begin() {
  for (const button of dialog.querySelectorAll("[data-picture]")) button.addEventListener("click", () => save(button.dataset.picture));
  for (const kind of kinds) kind.addEventListener("change", show);
  dialog.addEventListener("close", () => request?.abort());
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
}
