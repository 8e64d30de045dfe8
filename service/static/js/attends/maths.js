// The arithmetic of attention, as the page explains it.

/** Return the dot product of two vectors. */
export const dot = (one, other) => one.reduce((sum, value, n) => sum + value * other[n], 0);

/** Return the logarithm of the sum of e to the power of each score. */
export function logSum(scores) {
  const most = Math.max(...scores);
  return most + Math.log(scores.reduce((sum, score) => sum + Math.exp(score - most), 0));
}

/** Return softmax(scores): positive weights that sum to one. */
export function softmax(scores) {
  const most = Math.max(...scores); // taking it away changes nothing, and no power overflows
  const powers = scores.map((score) => Math.exp(score - most));
  const sum = powers.reduce((total, power) => total + power, 0);
  return powers.map((power) => power / sum);
}

/** Return the sum of vectors, each times its weight. */
export const weightedSum = (weights, vectors) =>
  vectors[0].map((_, n) => weights.reduce((sum, weight, j) => sum + weight * vectors[j][n], 0));

/** Return one step of attention: similarities, weights without and with scaling, the mixture. */
export function attend(query, keys, values) {
  const scores = keys.map((key) => dot(query, key));
  const unscaled = softmax(scores);
  const scaled = softmax(scores.map((score) => score / Math.sqrt(query.length)));
  return { scores, unscaled, scaled, mixed: weightedSum(scaled, values) };
}

/** Return the map in which a row looks most at others that are text: `signs[column]` tells. */
export function mostTelling(maps, row, signs) {
  const others = ({ weights }) =>
    weights[row].reduce((sum, weight, column) => sum + (column === row || signs[column] ? 0 : weight), 0);
  return maps.reduce((best, map) => (others(map) > others(best) ? map : best));
}

/**
 * Return where the attention of some maps of one layer goes, as shares that sum to one: to the
 * piece itself, its neighbours, signs that are no text, and others; and over how many pieces it is
 * spread (e to the entropy of a row). The mean of all rows of all maps.
 *
 * `signs[column]` tells signs; `own(row)` is the column of the piece itself, or null.
 */
export function summary(maps, signs, own) {
  const found = { itself: 0, neighbours: 0, signs: 0, others: 0, spread: 0 };
  let rows = 0;
  for (const { weights } of maps) {
    weights.forEach((row, r) => {
      rows++;
      const at = own(r);
      let entropy = 0;
      row.forEach((weight, c) => {
        if (weight > 0) entropy -= weight * Math.log(weight);
        if (at === c) found.itself += weight;
        else if (signs[c]) found.signs += weight;
        else if (at !== null && Math.abs(at - c) === 1) found.neighbours += weight;
        else found.others += weight;
      });
      found.spread += Math.exp(entropy);
    });
  }
  return Object.fromEntries(Object.entries(found).map(([name, sum]) => [name, sum / rows]));
}
