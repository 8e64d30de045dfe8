// The languages and the text in the fragment of the address, which browsers do not send.

const LONGEST = 2000;

/** Return the fragment of a translation; of a long text it has the languages only. */
export function fragmentOf({ source, target, q }) {
  const text = q.length > LONGEST ? "" : encodeURIComponent(q.toWellFormed());
  return `#${encodeURIComponent(source)}/${encodeURIComponent(target)}/${text}`;
}

/** Return whether a fragment can hold a text. */
export const fits = (q) => q.length <= LONGEST;

/** Return what a fragment says, or null if it says nothing. */
export function readFragment(fragment) {
  const found = /^#([^/]*)\/([^/]*)(?:\/(.*))?$/s.exec(fragment);
  if (!found) return null;
  try {
    const [source, target, q] = found.slice(1).map((part) => decodeURIComponent(part ?? ""));
    return { source, target, q };
  } catch {
    return null; // not the escapes of UTF-8
  }
}

/** Put a translation into the address, without a step in the browser's history. */
export function write(translation) {
  history.replaceState(null, "", location.pathname + location.search + fragmentOf(translation));
}
