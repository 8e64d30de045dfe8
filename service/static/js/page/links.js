// Which words of a sentence belong together, and which the model was unsure of.

import { unitOffset, wordsOf } from "./text.js";

const UNSURE = Math.log(0.3); // below this probability of a word, the model could not decide
const LEAST = 0.08; // of the weight; less is noise
const made = new WeakMap();

/**
 * Return {source, target, links, unsure} of a sentence: spans of words on both sides, the weights
 * between them as [target, source, weight], and the target words that the model was unsure of.
 */
export function linksOf(sentence) {
  if (!made.has(sentence)) made.set(sentence, read(sentence));
  return made.get(sentence);
}

function read(sentence) {
  const source = wordsOf(sentence.source);
  if (!sentence.alignment) return { source, target: wordsOf(sentence.text), links: [], unsure: [] };
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
  return { source, target, links, unsure };
}

/** Return what a word is linked with on the other side, as [number, weight], the strongest first. */
export function partners(found, side, number) {
  const [own, other] = side === "target" ? [0, 1] : [1, 0];
  return found.links
    .filter((link) => link[own] === number)
    .map((link) => [link[other], link[2]])
    .sort((one, two) => two[1] - one[1]);
}
