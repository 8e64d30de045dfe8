// Choose among the maps of a model by layer and head: small maps as buttons, the chosen one large.

import { make, t } from "./strings.js";
import { largeMap, mean, namesOf, paint, percent, strongest } from "./maps.js";

/**
 * Fill a set of choices with the maps of a kind, and show the chosen one in `place`.
 *
 * `marked` are rows set off, `first` is the row to begin with; `value` is the element that says what
 * a square means; `chosen` is {layer, head} to begin with, a head of 0 being the mean.
 */
export function explore({ answer, kind, choices, place, value, marked = [], first = marked[0] ?? 0, chosen = null }) {
  const maps = answer.maps.filter((map) => map.kind === kind);
  const names = namesOf(kind, answer);
  const layers = [...new Set(maps.map((map) => map.layer))];
  const weightsOf = (layer, head) => {
    const own = maps.filter((map) => map.layer === layer);
    return head === 0 ? mean(own) : own.find((map) => map.head === head).weights;
  };
  const show = (layer, head) => {
    const weights = weightsOf(layer, head);
    const fieldsOf = (r, c) => ({ row: names.rows[r], column: names.columns[c], weight: percent(weights[r][c]) });
    const say = (r, c) => (value.textContent = t("see.map.value", fieldsOf(r, c)));
    const column = strongest(weights[first]);
    const label = t("see.map.alt", { label: labelOf(layer, head), ...fieldsOf(first, column) });
    const hidden = kind === "decoder" ? (r, c) => c > r : null;
    place.replaceChildren(largeMap({ ...names, weights, label, marked, first, hidden, onCell: say }));
    say(first, column);
  };
  choices.querySelectorAll(".layer").forEach((row) => row.remove());
  const shown = chosen ?? { layer: layers.at(-1), head: 0 };
  for (const layer of layers) {
    const heads = [0, ...maps.filter((map) => map.layer === layer).map((map) => map.head)];
    const row = make("div", { className: "layer" }, make("span", { className: "note" }, t("see.map.layer", { layer })));
    for (const head of heads) row.append(thumbnail(choices.id, layer, head, weightsOf(layer, head), shown, show));
    choices.append(row);
  }
  // painted when they are in the page: the colour is that of the text there
  choices.querySelectorAll("canvas").forEach((canvas) => paint(canvas, canvas.weights));
  show(shown.layer, shown.head);
}

const labelOf = (layer, head) => t(head === 0 ? "see.map.label_mean" : "see.map.label", { layer, head });

function thumbnail(group, layer, head, weights, shown, show) {
  const canvas = make("canvas", { "aria-hidden": "true" });
  canvas.weights = weights;
  const input = make("input", {
    type: "radio",
    name: `${group}-map`,
    value: `${layer}/${head}`,
    checked: layer === shown.layer && head === shown.head,
    "aria-label": labelOf(layer, head),
    onchange: () => show(layer, head),
  });
  const caption = make("span", { className: "caption", "aria-hidden": "true" }, head === 0 ? t("see.map.mean") : String(head));
  return make("label", { className: "thumbnail" }, input, canvas, caption);
}
