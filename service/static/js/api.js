// Requests to the service, and its errors in the reader's language.

import { data, t } from "./strings.js";

/** What a request has failed with, in words for people. */
export class RequestError extends Error {
  constructor(message, status = 0) {
    super(message);
    this.status = status;
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
  if (event.type === "error") throw new RequestError(wordsFor(event.status, event.error), event.status);
  onEvent(event);
}

async function send(address, fields, signal, accept = "application/json") {
  let response;
  try {
    response = await fetch(address, {
      method: "POST",
      headers: { "Content-Type": "application/json", Accept: accept },
      body: JSON.stringify(fields),
      signal,
    });
  } catch (problem) {
    throw asRequestError(problem);
  }
  if (response.ok) return response;
  const answer = await response.json().catch(() => ({}));
  const seconds = response.headers.get("Retry-After") ?? 60;
  throw new RequestError(wordsFor(response.status, answer.error, seconds), response.status);
}

/** Return what an error means; what has no words of ours is said in the server's own. */
export function wordsFor(status, message, seconds = 60) {
  if (status === 429) return t("common.too_many", { seconds });
  if (status === 503) return t("common.too_busy");
  if (status === 504) return t("common.too_slow");
  if (/pieces, attention can be shown/.test(message)) return t("common.too_many_pieces");
  if (/^no single model translates/.test(message)) return t("common.no_single_model");
  return message ?? t("common.status", { status });
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
