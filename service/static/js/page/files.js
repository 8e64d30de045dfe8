// Files: dropped or chosen, sent with their progress, and fetched when they are translated.

import { failureOf, headers, RequestError, unreachable } from "../api.js";
import { cross, data, find, languageName, make, t } from "../strings.js";
import * as formality from "./formality.js";
import * as languages from "./languages.js";
import { wrongNumbers } from "./notes.js";
import { download, zip } from "./blobs.js";

const MEGABYTE = 1024 * 1024;
const { files: kinds, fileSizeLimit: limit } = data;
const drawer = find("files");
const drop = find("drop");
const input = find("file");
const list = find("file-list");
const said = find("file-status");
const all = find("file-all");
const share = new Intl.NumberFormat(data.lang, { style: "percent" });

const SHOWN_FIRST = [".docx", ".pdf", ".pptx", ".xlsx", ".txt"];
const ASKED = {
  columns: [".csv", ".tsv", ".tab"],
  sheet_names: [".xlsx", ".xlsm", ".xltx", ".xltm", ".ods"],
  front_matter: [".md", ".mdx"],
};

let running = 0; // files that are lost if the page is left
const done = new Set(); // {name, href} of those that are translated

const size = () => Math.floor((10 * limit) / MEGABYTE) / 10;
const endingOf = (file) => file.name.toLowerCase().match(/\.[^.]+$/)?.[0];

function problemWith(file, { source, target }) {
  if (!kinds.includes(endingOf(file))) return t("page.files.wrong_kind");
  if (file.size > limit) return t("page.files.too_large", { size: size() });
  if (file.size === 0) return t("page.files.empty");
  if (source === target) return t("page.same_language", { language: languageName(target) });
  return null;
}

const button = (label, onclick) => make("button", { type: "button", className: "strong", onclick }, label);

/** Take files in hand, one line of the list for each, in which it stays until it is removed. */
function take(files) {
  for (const file of files) {
    const { source, target } = languages.chosen();
    const job = { file, source, target, state: make("span", { className: "state" }), request: null };
    const close = cross(t("page.files.remove", { name: file.name }), () => remove(job));
    const name = make("span", {}, make("bdi", {}, file.name), make("span", { className: "note" }, ` → ${languageName(target)}`));
    job.line = make("li", {}, name, job.state, close);
    list.append(job.line);
    const problem = problemWith(file, job);
    const option = Object.keys(ASKED).find((one) => ASKED[one].includes(endingOf(file)));
    if (problem) fail(job, new RequestError(problem, { code: "refused" }));
    else if (option) askFor(job, option);
    else send(job);
  }
}

/** Cancel what is under way, and take a file from the list. */
function remove(job) {
  job.request?.abort();
  done.delete(job.done);
  job.line.remove();
  count();
  document.querySelector("#drop label").focus();
}

function count() {
  running = list.querySelectorAll("progress").length;
  all.hidden = done.size < 2;
}

/** Ask what is wanted of a file of such a kind, before it is sent. */
function askFor(job, option) {
  const isPlain = option === "columns";
  const input = isPlain
    ? make("input", { autocomplete: "off", spellcheck: false, className: "file-columns" })
    : make("input", { type: "checkbox" });
  const words = t(`page.files.${option}`);
  const label = isPlain ? make("label", {}, words, " ", input) : make("label", {}, input, " ", words);
  const begin = () => {
    const columns = isPlain ? input.value.split(",").map((one) => one.trim()).filter(Boolean) : [];
    if (columns.length) job.options = { columns };
    if (input.checked) job.options = { [option]: true };
    send(job);
  };
  input.addEventListener("keydown", (event) => event.key === "Enter" && begin());
  job.state.replaceChildren(label, button(t("common.translate"), begin));
}

function fail(job, problem) {
  const { file, state } = job;
  // the server names the file too, which stands beside it already
  const detail = problem.detail.replace("Invalid request: ", "").replace(`${file.name}: `, "");
  state.replaceChildren(make("span", { className: "error" }, problem.message));
  if (detail) state.append(make("span", { className: "note", lang: "en" }, detail));
  if (problem.code !== "refused") state.append(button(t("page.retry"), () => send(job)));
  said.textContent = t("page.files.failed", { name: file.name, problem: problem.message });
  count();
}

function formOf({ file, source, target, options }) {
  const form = new FormData();
  for (const [name, value] of Object.entries({ file, source, target })) form.append(name, value);
  if (options) form.append("file_options", JSON.stringify(options));
  if (formality.chosen() !== "default") form.append("formality", `prefer_${formality.chosen()}`);
  return form;
}

function send(job) {
  const { file, state } = job;
  const bar = make("progress", { max: 1, value: 0, "aria-label": file.name });
  const words = make("span", { className: "note" }, t("page.files.sending"));
  state.replaceChildren(bar, words);
  count();
  const request = new XMLHttpRequest(); // fetch does not tell how much has been sent
  job.request = request;
  request.upload.addEventListener("progress", (event) => (bar.value = event.loaded / event.total));
  request.upload.addEventListener("load", () => {
    bar.removeAttribute("value");
    words.textContent = t("page.files.translating");
  });
  const events = eventsOf(request, (told) => {
    bar.value = told.done / told.total;
    words.textContent =
      told.done < told.total ? t("page.files.so_far", { share: share.format(told.done / told.total) }) : t("page.files.finishing");
  });
  request.addEventListener("progress", events);
  request.addEventListener("load", () => {
    const last = events();
    if (last?.type === "answer") return offer(job, last.answer);
    const wait = request.getResponseHeader("Retry-After");
    const status = last?.status ?? request.status;
    return fail(job, last && status !== 200 ? failureOf(status, last, wait) : unreachable());
  });
  request.addEventListener("error", () => fail(job, unreachable()));
  request.open("POST", data.addresses.file);
  request.setRequestHeader("Accept", "application/x-ndjson, application/json;q=0.9");
  for (const [name, text] of Object.entries(headers())) request.setRequestHeader(name, text);
  request.send(formOf(job));
}

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

function offer(job, { translatedFileUrl: url, numbers = [], leftAlone = [], detectedLanguage: found }) {
  const { file, target, state } = job;
  const { pathname } = new URL(url, location.href); // on this very server, whatever it calls itself
  const label = t("page.files.download");
  job.done = { href: pathname, name: file.name.replace(/(?=\.[^.]*$)/, `_${target}`) };
  done.add(job.done);
  state.replaceChildren(
    make("a", { className: "button strong", href: pathname, download: "", "aria-label": `${label}: ${file.name} (${target})` }, label),
  );
  if (leftAlone.length) state.after(note("page.files.left_alone", leftAlone.map((text) => [text])));
  if (numbers.length) {
    state.after(note("page.files.numbers", numbers.map((one) => [one.source, make("br"), wrongNumbers(one).join(" · ")])));
  }
  if (found?.language === target) state.after(make("p", { className: "note" }, t("page.same_language", { language: languageName(target) })));
  said.textContent = t("page.files.ready", { name: file.name });
  count();
}

/** Fetch all files that are translated, as one. */
async function fetchAll() {
  const bytesOf = async (href) => {
    const response = await fetch(href);
    if (!response.ok) throw failureOf(response.status, null);
    return new Uint8Array(await response.arrayBuffer());
  };
  try {
    const files = await Promise.all([...done].map(async ({ name, href }) => ({ name, bytes: await bytesOf(href) })));
    download(zip(files), "translated.zip");
  } catch (problem) {
    said.textContent = problem.message ?? t("common.unreachable");
  }
}

/** Return what is to be said of some texts of a file: how many they are, and each when one looks. */
function note(name, texts) {
  const lines = texts.map((text) => make("li", {}, ...text));
  const count = t(name, { count: texts.length });
  return make("details", { className: "note" }, make("summary", {}, count), make("ul", {}, ...lines));
}

/** Begin, if the service translates files at all. */
export function begin() {
  if (!drawer) return;
  const first = SHOWN_FIRST.filter((kind) => kinds.includes(kind));
  const others = kinds.filter((kind) => !first.includes(kind));
  find("file-kinds").textContent = t("page.files.kinds", { kinds: first.join(" "), size: size() });
  document.querySelector("#file-more summary").textContent = t("page.files.more", { count: others.length });
  document.querySelector("#file-more p").textContent = others.join(" ");
  find("file-more").hidden = others.length === 0;
  input.addEventListener("change", () => {
    take(input.files);
    input.value = "";
  });
  all.addEventListener("click", fetchAll);
  addEventListener("beforeunload", (event) => running && event.preventDefault());
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
