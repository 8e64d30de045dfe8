// The page that explains attention: asks for the maps of the visitor's sentence, and draws them.

import { ask, RequestError } from "../api.js";
import { write } from "../clipboard.js";
import { explore } from "../explorer.js";
import { isRefusal } from "../key.js";
import * as keyform from "../keyform.js";
import { isSign, meanOfLast, nameOf, namesOf, percent, strongest } from "../maps.js";
import { fragmentOf, readFragment } from "../link.js";
import * as reader from "../reader.js";
import { isSample, sampleIn, sampledOf } from "../samples.js";
import { data, directionOf, find, make, t } from "../strings.js";
import { drawLayers } from "./layers.js";
import { mostTelling } from "./maths.js";
import { drawSteps } from "./steps.js";
import { work } from "./worked.js";

const KINDS = ["encoder", "decoder", "cross"];
const sentence = find("sentence");
const pair = find("pair");

let shown = null; // {fields, answers} of the sentence on the page
let chosen = 1; // the piece that the first steps follow
let request = null;

const sourceOf = (value) => value.split("/")[0];
const isIn = (select, value) => [...select.options].some((option) => option.value === value);

/** Take the sentence of the address, or one to begin with. */
function begin() {
  const found = readFragment(location.hash);
  const wanted = found && `${found.source}/${found.target}`;
  if (found?.q && isIn(pair, wanted)) {
    pair.value = wanted;
    sentence.value = found.q;
  } else {
    const pairs = [...pair.options].map((option) => option.value);
    const from = sampledOf(pairs.map(sourceOf), data.lang);
    if (from) pair.value = pairs.find((one) => sourceOf(one) === from);
    sentence.value = sampleIn(sourceOf(pair.value));
  }
  if (sentence.value) show();
}

function fail(problem) {
  find("problem").textContent = problem.message;
  find("problem").hidden = isRefusal(problem.code); // the form of the key says it
  find("said").textContent = "";
}

/** Ask for all maps of the sentence, and draw the page. */
async function show() {
  const [source, target] = pair.value.split("/");
  const q = sentence.value.trim();
  sentence.lang = source;
  find("problem").hidden = true;
  if (q === "") return fail(new RequestError(t("attends.empty")));
  request?.abort();
  request = new AbortController();
  const { signal } = request;
  find("said").textContent = t("attends.working");
  try {
    const fields = { q, source, target };
    const answers = { encoder: await ask(data.addresses.attention, { ...fields, kinds: ["encoder"] }, signal) };
    fields.translation = answers.encoder.translatedText;
    for (const kind of KINDS.slice(1)) {
      answers[kind] = await ask(data.addresses.attention, { ...fields, kinds: [kind] }, signal);
    }
    if (signal.aborted) return undefined;
    shown = { fields, answers };
    draw();
    await follow(signal);
  } catch (problem) {
    if (!signal.aborted) fail(problem);
  }
  return undefined;
}

function draw() {
  const { fields, answers } = shown;
  find("shared").textContent = "";
  history.replaceState(null, "", location.pathname + location.search + fragmentOf(fields));
  const text = make("strong", { lang: fields.target, dir: directionOf(fields.target) }, fields.translation);
  const [before, after] = t("attends.translated").split("{text}");
  find("said").replaceChildren(before, text, after);
  const pieces = answers.encoder.source;
  const long = pieces.findIndex(({ start, end }) => end - start > 3);
  chosen = Math.max(long, Math.min(1, pieces.length - 1));
  fillPieces(pieces);
  const first = mostTelling(answers.encoder.maps, chosen, pieces.map(isSign));
  fill(find("layer"), answers.encoder.layers.encoder, first.layer);
  fill(find("head"), answers.encoder.heads, first.head);
  drawLayers(answers);
  drawMaps();
  workMaps();
}

/** Let the visitor choose the piece that the first steps follow. */
function fillPieces(pieces) {
  const choices = pieces.map((piece, number) => {
    const input = make("input", { type: "radio", name: "piece", value: number, checked: number === chosen });
    input.addEventListener("change", () => {
      chosen = number;
      if (shown.vectors) drawSteps(shown.vectors, chosen); // else they come, and are drawn then
      drawMaps();
    });
    return make("label", {}, input, make("span", {}, nameOf(piece)));
  });
  const box = find("choose-piece");
  box.replaceChildren(box.querySelector("legend"), ...choices);
}

const headChosen = () => ["layer", "head"].map((id) => Number(find(id).value));

function fill(select, count, first) {
  const former = Number(select.value) || first;
  select.replaceChildren(...Array.from({ length: count }, (_, n) => new Option(n + 1, n + 1)));
  select.value = Math.min(former, count);
}

/** Return the row of a map that tells most at first sight: not of a sign, nor at the edge. */
const middleOf = (kind) => Math.floor((namesOf(kind, shown.answers[kind]).rows.length - 1) / 2);

function drawMaps() {
  const [layer, head] = headChosen();
  for (const kind of KINDS) {
    explore({
      answer: shown.answers[kind],
      kind,
      choices: find(`choices-${kind}`),
      place: find(`map-${kind}`),
      value: find(`value-${kind}`),
      marked: kind === "encoder" ? [chosen] : [],
      first: kind === "encoder" ? chosen : middleOf(kind),
      chosen: { encoder: { layer, head }, decoder: { layer: 1, head: 1 }, cross: null }[kind],
    });
  }
}

/** Work out what the maps of the decoder say of one row. */
function workMaps() {
  const [written, crossed] = [middleOf("decoder"), middleOf("cross")];
  const { rows } = namesOf("decoder", shown.answers.decoder);
  work("mask", { piece: rows[written], count: written + 1, all: rows.length });
  const { answers } = shown;
  const names = namesOf("cross", answers.cross);
  const { layer, weights: map } = meanOfLast(answers.cross.maps);
  const weights = map[crossed];
  const column = strongest(weights);
  const fields = { row: names.rows[crossed], column: names.columns[column], weight: percent(weights[column]) };
  work("cross", { ...fields, layer });
}

/** Ask for the vectors of the chosen head of the encoder, and draw the first steps. */
async function follow(signal) {
  const [layer, head] = headChosen();
  const fields = { ...shown.fields, kinds: ["encoder"], layer, head, vectors: true };
  const vectors = await ask(data.addresses.attention, fields, signal);
  if (signal.aborted) return;
  shown.vectors = vectors;
  const { heads, vectors: { query } } = vectors;
  work("heads", { heads, size: query[0].length, width: heads * query[0].length });
  drawSteps(vectors, chosen);
}

find("ask").addEventListener("submit", (event) => {
  event.preventDefault();
  show();
});
pair.addEventListener("change", () => {
  const sample = sampleIn(sourceOf(pair.value));
  if (isSample(sentence.value) && sample) sentence.value = sample;
  show();
});
for (const id of ["layer", "head"]) {
  find(id).addEventListener("change", () => {
    request?.abort();
    request = new AbortController();
    const { signal } = request;
    follow(signal).catch((problem) => signal.aborted || fail(problem));
  });
}
find("share").addEventListener("click", async () => {
  const isCopied = await write(location.href);
  find("shared").textContent = t(isCopied ? "attends.shared" : "attends.shared_by_hand");
});
addEventListener("hashchange", begin);
reader.begin();
keyform.begin(show);
begin();
