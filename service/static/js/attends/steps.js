// The figures of the first four steps, for one piece of the sentence and one head of the encoder.

import { nameOf, strongest } from "../maps.js";
import { find, make, t } from "../strings.js";
import { bar, largest, strip, table } from "./figures.js";
import { attend, logSum } from "./maths.js";
import { power, products, rounded, share, shortened, work } from "./worked.js";

const place = (name) => find(`figure-${name}`);
const heading = (name) => document.querySelector(`#${name} h2`).lastChild.textContent;
const column = (name, fields) => t(`attends.columns.${name}`, fields);
const MOST_SHOWN = 3; // products of a sum

/** Draw the steps for the piece of that number. */
export function drawSteps(answer, chosen) {
  const { query, key, value } = answer.vectors;
  const names = answer.source.map(nameOf);
  const found = attend(query[chosen], key, value);
  const step = { names, chosen, found, query: query[chosen], key, value, size: query[chosen].length };
  step.other = strongest(found.scores); // the piece whose numbers are worked out
  drawSimilarity(step);
  drawWeights(step);
  drawScaled(step, answer.maps[0].weights[chosen]);
  drawSum(step);
}

const number = (value) => make("span", { className: "figure-number" }, shortened(value));

function drawSimilarity({ names, chosen, found, query, key, size, other }) {
  const most = largest([query, ...key]);
  const highest = Math.max(...found.scores.map(Math.abs));
  const signed = (score) => {
    const shown = bar(Math.abs(score) / highest, shortened(score));
    shown.classList.toggle("negative", score < 0);
    return shown;
  };
  place("similarity").replaceChildren(
    make("p", { className: "note" }, t("attends.legend", { size })),
    make("p", { className: "own" }, make("span", {}, column("query", { piece: names[chosen] })), strip(query, most)),
    table(
      heading("similarity"),
      [column("piece"), column("key"), column("similarity")],
      names.map((name, j) => [name, strip(key[j], most), signed(found.scores[j])]),
      chosen,
    ),
  );
  const first = query.slice(0, MOST_SHOWN).map((one, n) => [one, key[other][n]]);
  const fields = { piece: names[chosen], other: names[other], products: products(first), size };
  work("similarity", { ...fields, score: rounded(found.scores[other]) });
}

function drawWeights({ names, chosen, found, other }) {
  place("weights").replaceChildren(
    table(
      heading("weights"),
      [column("piece"), column("similarity"), column("power"), column("weight")],
      names.map((name, j) => [name, number(found.scores[j]), power(found.scores[j]), bar(found.unscaled[j])]),
      chosen,
    ),
  );
  work("weights", {
    other: names[other],
    score: rounded(found.scores[other]),
    power: power(found.scores[other]),
    sum: power(logSum(found.scores)),
    weight: share(found.unscaled[other]),
  });
}

function drawScaled({ names, chosen, found, size, other }, weights) {
  const root = Math.sqrt(size);
  const difference = Math.max(...weights.map((weight, j) => Math.abs(weight - found.scaled[j])));
  place("scaled").replaceChildren(
    table(
      heading("scaled"),
      [column("piece"), column("similarity"), column("divided", { size }), column("unscaled"), column("scaled")],
      names.map((name, j) => [
        name,
        number(found.scores[j]),
        number(found.scores[j] / root),
        bar(found.unscaled[j]),
        bar(found.scaled[j]),
      ]),
      chosen,
    ),
    make("p", { className: "note", id: "difference" }, t("attends.difference", { difference: rounded(100 * difference, 1) })),
  );
  find("difference").dataset.difference = difference;
  work("scaled", {
    size,
    root: rounded(root),
    other: names[other],
    score: rounded(found.scores[other]),
    divided: rounded(found.scores[other] / root),
    before: share(found.unscaled[other]),
    after: share(found.scaled[other]),
  });
}

function drawSum({ names, chosen, found, value, size }) {
  const most = largest(value);
  const rows = names.map((name, j) => [name, bar(found.scaled[j]), strip(value[j], most, 0.12 + 0.88 * found.scaled[j])]);
  place("sum").replaceChildren(
    table(
      heading("sum"),
      [column("piece"), column("weight"), column("value")],
      [...rows, [make("strong", {}, column("total")), bar(1), strip(found.mixed, most)]],
      chosen,
    ),
  );
  const byWeight = found.scaled.map((weight, j) => [weight, value[j][0]]).sort((one, two) => two[0] - one[0]);
  const first = byWeight.slice(0, MOST_SHOWN);
  work("sum", { size, products: products(first), total: rounded(found.mixed[0]) });
}
