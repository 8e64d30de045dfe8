// Counting and cutting text as the server does: in code points, of which an emoji is one.

/** Return how many code points a text has. */
export function countCharacters(text) {
  return text.length - (text.match(/[\ud800-\udbff][\udc00-\udfff]/g)?.length ?? 0);
}

/** Return where in a JavaScript string the code point of that number begins. */
export function unitOffset(text, characters) {
  if (!/[\ud800-\udfff]/.test(text)) return characters;
  let units = 0;
  for (const one of text) {
    if (characters-- <= 0) break;
    units += one.length;
  }
  return units;
}

const segmenter = new Intl.Segmenter(undefined, { granularity: "word" });

/** Return the words of a sentence as [start, end] in JavaScript's units. */
export function wordsOf(text) {
  const words = [...segmenter.segment(text)].filter(({ isWordLike }) => isWordLike);
  return words.map(({ segment, index }) => [index, index + segment.length]);
}

/** Return the number of the span that has this offset, the nearest before it otherwise; or -1. */
export function spanAt(spans, offset) {
  return spans.findIndex(([start, end]) => start <= offset && offset <= end);
}

/** Return how much two texts have in common at their beginnings and at their ends. */
export function commonEnds(before, after) {
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before.charCodeAt(start) === after.charCodeAt(start)) start++;
  let end = 0;
  while (end < most - start && before.at(-1 - end) === after.at(-1 - end)) end++;
  return [start, end];
}
