// The figures of the first four steps, for one piece of the sentence and one head of the encoder.

import { nameOf } from "../maps.js";
import { data, make, t } from "../strings.js";
import { bar, largest, strip, table } from "./figures.js";
import { attend } from "./maths.js";

const place = (name) => document.getElementById(`figure-${name}`);
const heading = (name) => document.querySelector(`#${name} h2`).lastChild.textContent;
const column = (name, fields) => t(`attends.columns.${name}`, fields);
const decimal = (digits) => new Intl.NumberFormat(data.lang, { minimumFractionDigits: digits, maximumFractionDigits: digits });
const [two, one] = [decimal(2), decimal(1)];

/** Draw the steps for the piece of that number. */
export function drawSteps(answer, chosen) {
  const { query, key, value } = answer.vectors;
  const names = answer.source.map(nameOf);
  const found = attend(query[chosen], key, value);
  drawSimilarity(names, query[chosen], key, found.scores, chosen);
  place("weights").replaceChildren(
    table(
      heading("weights"),
      [column("piece"), column("similarity"), column("weight")],
      names.map((name, j) => [name, number(found.scores[j]), bar(found.unscaled[j])]),
      chosen,
    ),
  );
  drawSum(names, value, found, chosen);
  drawScaled(names, answer.maps[0].weights[chosen], found, query[chosen].length, chosen);
}

const number = (value) => make("span", { className: "figure-number" }, two.format(value));

function drawSimilarity(names, query, key, scores, chosen) {
  const most = largest([query, ...key]);
  const highest = Math.max(...scores.map(Math.abs));
  const signed = (score) => {
    const shown = bar(Math.abs(score) / highest, two.format(score));
    shown.classList.toggle("negative", score < 0);
    return shown;
  };
  place("similarity").replaceChildren(
    make("p", { className: "note" }, t("attends.legend", { size: query.length })),
    make("p", { className: "own" }, make("span", {}, column("query", { piece: names[chosen] })), strip(query, most)),
    table(
      heading("similarity"),
      [column("piece"), column("key"), column("similarity")],
      names.map((name, j) => [name, strip(key[j], most), signed(scores[j])]),
      chosen,
    ),
  );
}

function drawSum(names, value, found, chosen) {
  const most = largest(value);
  const rows = names.map((name, j) => [name, bar(found.unscaled[j]), strip(value[j], most, 0.12 + 0.88 * found.unscaled[j])]);
  place("sum").replaceChildren(
    table(
      heading("sum"),
      [column("piece"), column("weight"), column("value")],
      [...rows, [make("strong", {}, column("total")), bar(1), strip(found.mixed, most)]],
      chosen,
    ),
  );
}

function drawScaled(names, weights, found, size, chosen) {
  const difference = Math.max(...weights.map((weight, j) => Math.abs(weight - found.scaled[j])));
  place("scaled").replaceChildren(
    table(
      heading("scaled"),
      [column("piece"), column("unscaled"), column("scaled", { size })],
      names.map((name, j) => [name, bar(found.unscaled[j]), bar(found.scaled[j])]),
      chosen,
    ),
    make("p", { className: "note", id: "difference" }, t("attends.difference", { difference: one.format(100 * difference) })),
  );
  document.getElementById("difference").dataset.difference = difference;
}
