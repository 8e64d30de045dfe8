// Which sentences of a long text stay as they are when it is edited: only the rest is asked for.

import { commonEnds } from "./text.js";

const SHORTEST = 600; // below, all is asked for: a sentence more costs nothing
const lengthOf = ({ separator, source }) => separator.length + source.length;
const MARGIN = 2; // sentences beside the edit that are asked for again: they may join it

/**
 * Return what is to be translated of a text, and what is kept of `sentences`, those of an earlier
 * text or of its beginning: then none are kept `toTheEnd`. Sentences are translated one by one, so those
 * away from the edit do not change.
 */
export function plan(sentences, text, toTheEnd = true) {
  const all = { before: [], middle: text, after: [] };
  if (text.length < SHORTEST || sentences.length <= 2 * MARGIN) return all;
  const former = sentences.map((one) => one.separator + one.source).join("");
  const [same, end] = commonEnds(former, text);
  const sameAtEnd = toTheEnd ? end : 0;
  let count = 0;
  let start = 0;
  for (let end = 0; count < sentences.length; count++, start = end) {
    end += lengthOf(sentences[count]);
    if (end > same) break;
  }
  const kept = Math.max(0, count - MARGIN);
  for (let n = kept; n < count; n++) start -= lengthOf(sentences[n]);
  let last = sentences.length;
  let tail = 0;
  while (last > kept && tail + lengthOf(sentences[last - 1]) <= sameAtEnd) tail += lengthOf(sentences[--last]);
  for (let n = 0; n < MARGIN && last < sentences.length; n++) tail -= lengthOf(sentences[last++]);
  if (start + tail > text.length) return all;
  const middle = text.slice(start, text.length - tail);
  return { before: sentences.slice(0, kept), middle, after: sentences.slice(last) };
}
