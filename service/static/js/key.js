// The key of a service that asks for one: in this browser's own storage, and sent with each request.

import { textsInBrowser } from "./storage.js";

const NAME = "translator.key";
const REFUSED = ["key_required", "invalid_key"];
const listeners = [];

// also where the browser keeps nothing: then as long as the page is open
let held = textsInBrowser.read(NAME) ?? "";

/** Return the key, or an empty string. */
export const read = () => held;

/** Return whether a text can be a key at all: a header holds no more. */
export const isPossible = (text) => /^[\x21-\x7e]+$/.test(text);

/** Return the headers that bring the key along. */
export const headers = () => (isPossible(held) ? { Authorization: `Bearer ${held}` } : {});

/** Keep a key; an empty one is forgotten. */
export function keep(text) {
  held = text;
  textsInBrowser.write(NAME, text || null);
  tell("");
}

/** Call `listener(code)` when the key has changed (the code is empty then), or was refused. */
export const onChange = (listener) => listeners.push(listener);

/** Take note of the code of an answer: it may be that a key is missing, or wrong. */
export function note(code) {
  if (isRefusal(code)) tell(code);
}

/** Return whether an error means that a key is missing, or wrong. */
export const isRefusal = (code) => REFUSED.includes(code);

function tell(code) {
  for (const listener of listeners) listener(code);
}
