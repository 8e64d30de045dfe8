// Which words of a sentence belong together, and which the model was unsure of.

import { meanOfLast } from "../maps.js";
import { unitOffset, wordsOf } from "./text.js";

const UNSURE = Math.log(0.3); // below this probability of a word, the model could not decide
const DOUBTFUL = Math.log(0.1); // below this one, the word is often wrong
const LEAST = 0.08; // of the weight; less is noise
const made = new WeakMap();

/**
 * Return {source, target, links, unsure, worst} of a sentence: spans of words on both sides, the
 * weights between them as [target, source, weight], the target words that the model was unsure of,
 * and the one that it was least sure of, if it is doubtful; else -1.
 */
export function linksOf(sentence) {
  if (sentence.own) return sentence.own.links ?? read(sentence);
  if (!made.has(sentence)) made.set(sentence, read(sentence));
  return made.get(sentence);
}

function read(sentence) {
  const source = wordsOf(sentence.source);
  if (!sentence.alignment) return { source, target: wordsOf(sentence.text), links: [], unsure: [], worst: -1 };
  const inText = (place) => unitOffset(sentence.text, place);
  const inSource = (place) => unitOffset(sentence.source, place);
  const target = sentence.alignment.map((word) => [inText(word.start), inText(word.end)]);
  const known = new Map(source.map((span, number) => [span.join(), number]));
  const links = [];
  sentence.alignment.forEach((word, number) => {
    for (const { start, end, weight } of word.sources) {
      if (weight < LEAST) continue;
      const span = [inSource(start), inSource(end)];
      if (!known.has(span.join())) {
        known.set(span.join(), source.length);
        source.push(span);
      }
      links.push([number, known.get(span.join()), weight]);
    }
  });
  const unsure = sentence.alignment.flatMap((word, n) => (word.log_prob < UNSURE ? [n] : []));
  const least = Math.min(...sentence.alignment.map((word) => word.log_prob));
  const worst = least < DOUBTFUL ? sentence.alignment.findIndex((word) => word.log_prob === least) : -1;
  return { source, target, links, unsure, worst };
}

/** Return what a word is linked with on the other side, as [number, weight], the strongest first. */
export function partners(found, side, number) {
  const [own, other] = side === "target" ? [0, 1] : [1, 0];
  return found.links
    .filter((link) => link[own] === number)
    .map((link) => [link[other], link[2]])
    .sort((one, two) => two[1] - one[1]);
}

/**
 * Take the links of a sentence from the attention of the last layer, the mean of its heads, as the
 * server does for its own translations; for one that the reader has chosen. See POST /attention.
 */
export function takeLinks(sentence, answer) {
  const source = wordsOf(sentence.source);
  const target = wordsOf(sentence.text);
  const map = meanOfLast(answer.maps).weights;
  const columns = source.map((span) => piecesIn(answer.source, sentence.source, span));
  const links = [];
  target.forEach((span, t) => {
    // the state before a piece is the one that looks for it
    const rows = piecesIn(answer.target, sentence.text, span).map((row) => row - 1);
    const weights = columns.map((own) => sum(rows.flatMap((row) => own.map((c) => map[row][c]))));
    const total = sum(weights) || 1;
    weights.forEach((weight, s) => {
      if (weight / total >= LEAST) links.push([t, s, weight / total]);
    });
  });
  sentence.own.links = { source, target, links, unsure: [], worst: -1 };
}

const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);

/** Return the numbers of the pieces that lie in a span of a text. */
export function piecesIn(pieces, text, [start, end]) {
  return pieces.flatMap((piece, number) => {
    const isIn = piece.end > piece.start && unitOffset(text, piece.start) < end && unitOffset(text, piece.end) > start;
    return isIn ? [number] : [];
  });
}
