// Requests to the service, and its errors in the reader's language.

import * as key from "./key.js";
import { data, has, languageName, t } from "./strings.js";

/**
 * What a request has failed with: a message for people, and the code and status of the answer.
 *
 * `detail` is what the server says of a file, or of what this page has no words for, in English.
 */
export class RequestError extends Error {
  constructor(message, { status = 0, code = "", detail = "" } = {}) {
    super(message);
    Object.assign(this, { status, code, detail });
  }
}

/** Ask an address and return its answer; throw a RequestError, or an AbortError if aborted. */
export async function ask(address, fields, signal) {
  const response = await send(address, fields, signal);
  try {
    return await response.json();
  } catch (problem) {
    throw asRequestError(problem);
  }
}

/** Ask for a stream of lines, and call `onEvent` with each; see POST /translate. */
export async function askForEvents(address, fields, signal, onEvent) {
  const response = await send(address, fields, signal, "application/x-ndjson");
  let rest = "";
  try {
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      const lines = (rest + value).split("\n");
      rest = lines.pop();
      for (const line of lines) if (line) take(JSON.parse(line), onEvent);
    }
  } catch (problem) {
    throw asRequestError(problem);
  }
}

function take(event, onEvent) {
  if (event.type === "error") throw failureOf(event.status, event);
  onEvent(event);
}

async function send(address, fields, signal, accept = "application/json") {
  let response;
  try {
    response = await fetch(address, {
      method: "POST",
      headers: { "Content-Type": "application/json", Accept: accept, ...key.headers() },
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
  const code = answer?.code ?? BY_STATUS[status] ?? "";
  const isKnown = has(`errors.${code}`);
  const fields = {
    status,
    limit: answer?.limit ?? "",
    seconds: Number(retryAfter) || 60,
    language: languageName(answer?.detectedLanguage?.language ?? ""),
  };
  const message = isKnown ? t(`errors.${code}`, fields) : t("common.status", fields);
  const detail = isKnown && !DETAILED.includes(code) ? "" : (answer?.error ?? "");
  key.note(code);
  return new RequestError(message, { status, code, detail });
}

function asRequestError(problem) {
  if (problem.name === "AbortError" || problem instanceof RequestError) return problem;
  return new RequestError(t(navigator.onLine ? "common.unreachable" : "common.offline"));
}

let settings = null;

/** Return the answer of GET /frontend/settings, asked for once. */
export async function readSettings() {
  settings ??= fetch(data.addresses.settings).then((response) => response.json());
  return settings;
}
