// Files: dropped or chosen, sent with their progress, and fetched when they are translated.

import { failureOf, readSettings, RequestError } from "../api.js";
import * as key from "../key.js";
import { data, make, t } from "../strings.js";
import * as languages from "./languages.js";
import { wrongNumbers } from "./numbers.js";

const MEGABYTE = 1024 * 1024;
const drawer = document.getElementById("files");
const drop = document.getElementById("drop");
const input = document.getElementById("file");
const list = document.getElementById("file-list");
const said = document.getElementById("file-status");
const columns = document.getElementById("file-columns");
const sheetNames = document.getElementById("file-sheet-names");
const share = new Intl.NumberFormat(data.lang, { style: "percent" });

let kinds = [];
let limit = Infinity;

const size = () => Math.floor((10 * limit) / MEGABYTE) / 10;

function problemWith(file) {
  const ending = file.name.toLowerCase().match(/\.[^.]+$/)?.[0];
  if (!kinds.includes(ending)) return t("page.files.wrong_kind");
  if (file.size > limit) return t("page.files.too_large", { size: size() });
  return null;
}

/** Take files in hand, one line of the list for each. */
function take(files) {
  for (const file of files) {
    const state = make("span", { className: "state" });
    const line = make("li", {}, make("span", { dir: "auto" }, file.name), state);
    list.prepend(line);
    const problem = problemWith(file);
    if (problem) fail(file, state, new RequestError(problem));
    else send(file, state);
  }
}

function fail(file, state, problem) {
  // the server names the file too, which stands beside it already
  const detail = problem.detail.replace("Invalid request: ", "").replace(`${file.name}: `, "");
  state.replaceChildren(make("span", { className: "error" }, problem.message));
  if (detail) state.append(make("span", { className: "note", lang: "en" }, detail));
  said.textContent = t("page.files.failed", { name: file.name, problem: problem.message });
}

function send(file, state) {
  const { source, target } = languages.chosen();
  const form = new FormData();
  form.append("file", file);
  form.append("source", source);
  form.append("target", target);
  const wanted = optionsOf(file);
  if (wanted) form.append("file_options", JSON.stringify(wanted));
  const bar = make("progress", { max: 1, value: 0, "aria-label": file.name });
  const words = make("span", { className: "note" }, t("page.files.sending"));
  state.replaceChildren(bar, words);
  const request = new XMLHttpRequest(); // fetch does not tell how much has been sent
  request.upload.addEventListener("progress", (event) => (bar.value = event.loaded / event.total));
  request.upload.addEventListener("load", () => {
    bar.removeAttribute("value");
    words.textContent = t("page.files.translating");
  });
  const events = eventsOf(request, ({ done, total }) => {
    bar.value = done / total;
    words.textContent = done < total ? t("page.files.so_far", { share: share.format(done / total) }) : t("page.files.finishing");
  });
  request.addEventListener("progress", events);
  request.addEventListener("load", () => {
    const last = events();
    if (last?.type === "answer") return offer(file, state, last.answer, target);
    const wait = request.getResponseHeader("Retry-After");
    return fail(file, state, last ? failureOf(last.status ?? request.status, last, wait) : unreachable());
  });
  request.addEventListener("error", () => fail(file, state, unreachable()));
  request.open("POST", data.addresses.file);
  request.setRequestHeader("Accept", "application/x-ndjson, application/json;q=0.9");
  for (const [name, text] of Object.entries(key.headers())) request.setRequestHeader(name, text);
  request.send(form);
}

const unreachable = () => new RequestError(t(navigator.onLine ? "common.unreachable" : "common.offline"));

/**
 * Return what reads the lines of an answer that have come: it calls `onProgress` with the newest of
 * them, and returns the last one if that is an answer or an error.
 */
function eventsOf(request, onProgress) {
  let read = 0;
  let last = null;
  return () => {
    const text = request.responseText;
    const isWhole = request.readyState === XMLHttpRequest.DONE;
    const end = isWhole ? text.length : text.lastIndexOf("\n") + 1;
    for (const line of text.slice(read, end).split("\n")) if (line.trim()) last = parsed(line);
    read = end;
    if (last?.type !== "progress") return last;
    if (!isWhole) onProgress(last);
    return null;
  };
}

function parsed(line) {
  try {
    return JSON.parse(line);
  } catch {
    return {}; // an error page of a proxy; its status says enough
  }
}

/** Return what is asked of files of this kind; see POST /translate_file. */
function optionsOf(file) {
  const ending = file.name.toLowerCase().match(/[^.]*$/)[0];
  const chosen = columns.value.split(",").map((one) => one.trim()).filter(Boolean);
  if (["csv", "tsv", "tab"].includes(ending) && chosen.length) return { columns: chosen };
  if (["xlsx", "xlsm", "xltx", "xltm", "ods"].includes(ending) && sheetNames.checked) return { sheet_names: true };
  return null;
}

function offer(file, state, { translatedFileUrl: url, numbers = [] }, target) {
  const { pathname } = new URL(url, location.href); // on this very server, whatever it calls itself
  const label = t("page.files.download");
  state.replaceChildren(
    make("a", { className: "button strong", href: pathname, download: "", "aria-label": `${label}: ${file.name} (${target})` }, label),
  );
  if (numbers.length) state.after(doubtful(numbers));
  said.textContent = t("page.files.ready", { name: file.name });
}

/** Return the sentences of a file whose numbers are to be checked. */
function doubtful(sentences) {
  const lines = sentences.map((one) => make("li", {}, one.source, make("br"), wrongNumbers({ numbers: one }).join(" · ")));
  const count = t("page.files.numbers", { count: sentences.length });
  return make("details", { className: "note" }, make("summary", {}, count), make("ul", {}, ...lines));
}

/** Begin, if the service translates files at all. */
export async function begin() {
  const settings = await readSettings().catch(() => null);
  if (!settings?.filesTranslation) return;
  kinds = settings.supportedFilesFormat;
  limit = settings.fileSizeLimit ?? Infinity;
  input.accept = kinds.join(",");
  document.getElementById("file-kinds").textContent = t("page.files.kinds", {
    kinds: kinds.join(" "),
    size: size(),
  });
  drawer.hidden = false;
  input.addEventListener("change", () => {
    take(input.files);
    input.value = "";
  });
  for (const name of ["dragover", "dragleave", "drop"]) addEventListener(name, onDrag);
}

/** Files may be dropped anywhere on the page. */
function onDrag(event) {
  if (!event.dataTransfer?.types.includes("Files")) return;
  event.preventDefault();
  drop.classList.toggle("over", event.type === "dragover");
  if (event.type === "dragleave") return;
  drawer.open = true;
  if (event.type === "drop") {
    take(event.dataTransfer.files);
    drawer.scrollIntoView({ block: "nearest" });
  }
}
