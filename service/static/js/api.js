// Requests to the service, and its errors in the reader's language.

import * as key from "./key.js";
import { data, has, languageName, t } from "./strings.js";

/**
 * What a request has failed with: a message for people, and the code and status of the answer.
 *
 * `detail` is what the server says of a file, or of what this page has no words for, in English;
 * `waitS` is for how many seconds it wants to be left alone. A status of 0 is no answer, or a part.
 */
export class RequestError extends Error {
  constructor(message, { status = 0, code = "", detail = "", waitS = 0 } = {}) {
    super(message);
    Object.assign(this, { status, code, detail, waitS });
  }
}

let quietUntil = 0; // the server has refused too many requests: who goes on asking is banned

/** Return for how many milliseconds nothing may be asked. */
export const quietMs = () => Math.max(0, quietUntil - Date.now());

/** Return the headers of all requests. */
export const headers = () => ({ "Translator-Page": "1", ...key.headers() });

/** Ask an address and return its answer; throw a RequestError, or an AbortError if aborted. */
export async function ask(address, fields, signal) {
  const response = await send(address, fields, signal);
  try {
    return await response.json();
  } catch (problem) {
    throw asRequestError(problem);
  }
}

/**
 * Ask for a stream of lines, and call `onEvent` with each until `signal` is aborted; see POST
 * /translate. An answer without the last event is not whole, or not this server's: that is an error.
 */
export async function askForEvents(address, fields, signal, onEvent) {
  const response = await send(address, fields, signal, "application/x-ndjson");
  let rest = "";
  let last = "";
  try {
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      const lines = (rest + value).split("\n");
      rest = lines.pop();
      for (const event of lines.filter(Boolean).map((line) => JSON.parse(line))) {
        if (event.type === "error") throw failureOf(event.status, event);
        last = event.type;
        onEvent(event);
        signal.throwIfAborted(); // what has come already is told no more
      }
    }
    signal.throwIfAborted();
  } catch (problem) {
    throw asRequestError(problem);
  }
  if (last !== "answer") throw new RequestError(t("common.incomplete"));
}

async function send(address, fields, signal, accept = "application/json") {
  let response;
  if (quietMs()) throw failureOf(429, {}, Math.ceil(quietMs() / 1000));
  try {
    response = await fetch(address, {
      method: "POST",
      headers: { "Content-Type": "application/json", Accept: accept, ...headers() },
      body: JSON.stringify(fields),
      signal,
    });
  } catch (problem) {
    throw asRequestError(problem);
  }
  if (response.ok) return response;
  const answer = await response.json().catch(() => ({}));
  throw failureOf(response.status, answer, response.headers.get("Retry-After"));
}

const BY_STATUS = { 413: "too_large", 429: "too_many_requests", 502: "busy", 503: "busy", 504: "too_slow" };
const DETAILED = ["unreadable_file", "encrypted_file", "file_too_large", "invalid"];

/** Return what an answer means that is an error: by its code, or its status if it is a proxy's. */
export function failureOf(status, answer, retryAfter = null) {
  const read = answer?.detectedLanguage?.language ?? "";
  const isUnnamed = read !== "" && languageName(read) === read;
  const code = isUnnamed ? "unread_other" : (answer?.code ?? BY_STATUS[status] ?? "");
  const isKnown = has(`errors.${code}`);
  const waitS = Number(retryAfter) || (status === 429 ? 60 : 0);
  if (status === 429) quietUntil = Math.max(quietUntil, Date.now() + 1000 * waitS);
  const fields = { status, limit: answer?.limit ?? "", seconds: waitS, language: languageName(read) };
  const message = isKnown ? t(`errors.${code}`, fields) : t("common.status", fields);
  const detail = isKnown && !DETAILED.includes(code) ? "" : (answer?.error ?? "");
  key.note(code);
  return new RequestError(message, { status, code, detail, waitS });
}

function asRequestError(problem) {
  if (problem.name === "AbortError" || problem instanceof RequestError) return problem;
  if (problem instanceof SyntaxError) return new RequestError(t("common.incomplete")); // a proxy's page
  return unreachable();
}

/** Return that there was no answer. */
export const unreachable = () => new RequestError(t(navigator.onLine ? "common.unreachable" : "common.offline"));
