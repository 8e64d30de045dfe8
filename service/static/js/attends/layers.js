// What each layer does: where its attention goes, measured on the visitor's sentence.

import { isSign } from "../maps.js";
import { data, find, make, t } from "../strings.js";
import { bar, table } from "./figures.js";
import { summary } from "./maths.js";

const SHARES = ["itself", "neighbours", "signs", "others"];
const rounded = new Intl.NumberFormat(data.lang, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
const number = (text) => make("span", { className: "figure-number" }, text);

/** Draw a table of a kind for each of the answers, by kind. */
export function drawLayers(answers) {
  const parts = [];
  for (const kind of ["encoder", "decoder", "cross"]) {
    parts.push(make("h3", {}, t(`attends.kinds.${kind}`)), tableOf(kind, answers[kind]));
  }
  find("figure-layers").replaceChildren(...parts);
}

function tableOf(kind, answer) {
  const pieces = kind === "decoder" ? answer.target : answer.source;
  const own = kind === "cross" ? () => null : (row) => row;
  const names = kind === "cross" ? ["signs", "others"] : SHARES;
  const layers = [...new Set(answer.maps.map((map) => map.layer))];
  const rows = layers.map((layer) => {
    const found = summary(answer.maps.filter((map) => map.layer === layer), pieces.map(isSign), own);
    return [String(layer), ...names.map((name) => bar(found[name])), number(rounded.format(found.spread))];
  });
  const titles = kind === "cross" ? ["signs", "text"] : names;
  const headings = ["layer", ...titles, "spread"].map((name) => t(`attends.columns.${name}`));
  return table(t(`attends.kinds.${kind}`), headings, rows);
}
