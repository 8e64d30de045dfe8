// Recent translations: in this browser's own storage, and forgotten at a click.

import * as key from "../key.js";
import { languageName, make, t } from "../strings.js";
import * as result from "./result.js";
import { say } from "./status.js";
import { onResult } from "./translate.js";

const KEY = "translator.recent";
const MOST = 20;
const LONGEST = 5000;
const SETTLED_MS = 2500;

const list = document.getElementById("recent-list");
const forget = document.getElementById("forget");

let timer = 0;
let waiting = null; // a translation that is kept when the reader has stopped typing

/** Return what is kept, the latest first; nothing if the storage is closed or holds nonsense. */
export function read() {
  try {
    const found = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    const isEntry = (one) => ["q", "text", "source", "target"].every((name) => typeof one?.[name] === "string");
    return Array.isArray(found) ? found.filter(isEntry).slice(0, MOST) : [];
  } catch {
    return [];
  }
}

function write(entries) {
  try {
    localStorage.setItem(KEY, JSON.stringify(entries));
  } catch {
    // a browser that keeps nothing, or has no room: then nothing is kept
  }
}

/** Keep what waits; it takes the place of what it continues. */
function keep() {
  clearTimeout(timer);
  if (!waiting) return;
  const entry = waiting;
  waiting = null;
  const isEarlier = (one) =>
    one.target === entry.target && (entry.q.startsWith(one.q) || one.q.startsWith(entry.q));
  const [latest, ...rest] = read();
  const others = latest && !isEarlier(latest) ? [latest, ...rest] : rest;
  write([entry, ...others.filter((one) => one.q !== entry.q || one.target !== entry.target)].slice(0, MOST));
  draw();
}

let choose = () => {};

function draw() {
  const entries = read();
  forget.hidden = entries.length === 0 && !key.read();
  forget.textContent = t(key.read() ? "page.recent.forget_key_too" : "page.recent.forget");
  list.replaceChildren(...entries.map(item));
  if (entries.length === 0) list.append(make("li", { className: "note" }, t("page.recent.none")));
}

function item(entry) {
  const pair = `${languageName(entry.source)} → ${languageName(entry.target)}`;
  const button = make(
    "button",
    { type: "button" },
    make("span", { dir: "auto" }, entry.q.slice(0, 200)),
    make("span", { dir: "auto", lang: entry.target }, entry.text.slice(0, 200)),
    make("span", { className: "note" }, pair),
  );
  button.addEventListener("click", () => choose(entry));
  return make("li", {}, button);
}

/** Begin; `onChoose(entry)` is called for one that is wanted again. */
export function begin(onChoose) {
  choose = onChoose;
  draw();
  key.onChange(draw);
  onResult((found) => {
    clearTimeout(timer);
    waiting = null;
    if (!found || found.from === found.target || found.q.length > LONGEST) return;
    waiting = { q: found.q, text: result.text(), source: found.from ?? found.source, target: found.target };
    timer = setTimeout(keep, SETTLED_MS);
  });
  addEventListener("pagehide", keep);
  document.getElementById("recent").addEventListener("toggle", keep);
  forget.addEventListener("click", () => {
    waiting = null;
    key.keep("");
    try {
      localStorage.removeItem(KEY);
    } catch {
      // nothing was kept
    }
    draw();
    say(t("page.recent.forgotten"));
    document.querySelector("#recent summary").focus();
  });
}
