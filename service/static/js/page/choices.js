// What the reader has put in the place of sentences. It stays as long as its sentence does.

const MOST = 500;
const made = new Map(); // by the name of a sentence: {text, own}, the latest last

/** Return the name of a sentence: the same in another text, but not in another pair of languages. */
export const nameOf = ({ source }, { from, target, formality }) => JSON.stringify([from, target, formality, source]);

/** Put a text in the place of a sentence; null takes it back. */
export function set(name, text) {
  made.delete(name);
  if (text !== null) made.set(name, { text, own: { isAsked: false, links: null } });
  if (made.size > MOST) made.delete(made.keys().next().value);
}

/** Return what stands in the place of a sentence; null if nothing does. */
export const textOf = (name) => made.get(name)?.text ?? null;

/** Return a sentence as the reader wants it. What the model has said of its own one is left out. */
export function applied(sentence) {
  const { original = sentence } = sentence;
  const chosen = made.get(original.name);
  if (!chosen || chosen.text === original.text) return original;
  return { ...original, ...chosen, original, alignment: null, flags: [], numbers: null, finish_reasons: [] };
}

/** Return all as a list that can be kept. */
export const list = () => [...made].map(([name, { text }]) => [name, text]);

/** Take over what was kept, and nothing else. */
export function take(entries) {
  made.clear();
  for (const [name, text] of entries) set(name, text);
}
