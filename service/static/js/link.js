// The languages and the text in the address: in its fragment, which browsers do not send, or in its
// query, where LibreTranslate's page has them.

const LONGEST = 2000;
const FIELDS = ["source", "target", "q"];
const ENCODED = /^(?=.*%[0-9A-F]{2})[\w;,/?:@&=+$\-.!~*'()#%]+$/; // by `encodeURI`

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

/** Return what LibreTranslate's query says, `?source=de&target=en&q=Text`, or null if nothing. */
export function readQuery(query) {
  const found = new URLSearchParams(query);
  if (!FIELDS.some((name) => found.get(name))) return null;
  const [source, target, q] = FIELDS.map((name) => found.get(name) ?? "");
  return { source, target, q: decodedAgain(q) };
}

/** Return the text of a query; LibreTranslate's page has encoded it once more, a keyword has not. */
function decodedAgain(text) {
  if (!ENCODED.test(text)) return text;
  try {
    return decodeURI(text);
  } catch {
    return text;
  }
}

/** Return a query without those fields. */
export function otherFields(query) {
  const found = new URLSearchParams(query);
  if (!FIELDS.some((name) => found.has(name))) return query;
  for (const name of FIELDS) found.delete(name);
  return found.size ? `?${found}` : "";
}

/**
 * Put a translation into the address, without a step in the browser's history; null for none.
 *
 * What the query said of one goes: the fragment says it now, which is not sent to the server.
 */
export function write(translation) {
  const fragment = translation ? fragmentOf(translation) : "";
  history.replaceState(null, "", location.pathname + otherFields(location.search) + fragment);
}
