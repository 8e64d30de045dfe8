// Recent translations: in this browser's own storage, and forgotten at a click.

import * as key from "../key.js";
import { inBrowser } from "../storage.js";
import { cross, find, languageName, make, t } from "../strings.js";
import * as result from "./result.js";
import { say } from "./status.js";
import { onResult } from "./translate.js";

const KEY = "translator.recent";
const SWITCH = "translator.keep"; // false if nothing is to be kept
const MOST = 20;
const LONGEST = 5000;
const SETTLED_MS = 2500;

const list = find("recent-list");
const forget = find("forget");
const keeps = find("keep-recent");
const summary = document.querySelector("#recent summary");

let timer = 0;
let waiting = null; // a translation that is kept when the reader has stopped typing

/** Return what is kept, the latest first; nothing if the storage is closed or holds nonsense. */
export function read() {
  const found = inBrowser.read(KEY);
  const isEntry = (one) => ["q", "text", "source", "target"].every((name) => typeof one?.[name] === "string");
  return Array.isArray(found) ? found.filter(isEntry).slice(0, MOST) : [];
}

const isKept = () => inBrowser.read(SWITCH) !== false;

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
  inBrowser.write(KEY, [entry, ...others.filter((one) => !isSame(one, entry))].slice(0, MOST));
  draw();
}

const isSame = (one, other) => one.q === other.q && one.target === other.target;

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
  const onclick = () => {
    choose(entry);
    find("translate").scrollIntoView({ block: "nearest" });
  };
  const texts = [
    make("span", { dir: "auto" }, entry.q.slice(0, 200)),
    make("span", { dir: "auto", lang: entry.target }, entry.text.slice(0, 200)),
    make("span", { className: "note" }, pair),
  ];
  const remove = cross(t("page.recent.delete", { text: entry.q.slice(0, 50) }), () => {
    inBrowser.write(KEY, read().filter((one) => !isSame(one, entry)));
    draw();
    summary.focus();
  });
  return make("li", {}, make("button", { type: "button", onclick }, ...texts), remove);
}

/**
 * Begin; `onChoose(entry)` is called for one that is wanted again, `onForget()` when nothing is to be
 * left of what was translated, in this tab and in all others.
 */
export function begin(onChoose, onForget) {
  choose = onChoose;
  draw();
  key.onChange(draw);
  const forgetHere = () => {
    waiting = null;
    onForget();
    draw();
  };
  const others = new BroadcastChannel(KEY);
  others.onmessage = forgetHere;
  keeps.checked = isKept();
  keeps.addEventListener("change", () => {
    waiting = null;
    inBrowser.write(SWITCH, keeps.checked ? null : false);
  });
  onResult((found, isPending) => {
    clearTimeout(timer);
    if (isPending) return;
    waiting = null;
    if (!found || found.from === found.target || found.q.length > LONGEST || !isKept()) return;
    waiting = { q: found.q, text: result.text(), source: found.from, target: found.target };
    timer = setTimeout(keep, SETTLED_MS);
  });
  addEventListener("pagehide", keep);
  find("recent").addEventListener("toggle", keep);
  forget.addEventListener("click", () => {
    key.keep("");
    inBrowser.write(KEY, null);
    others.postMessage("forget");
    forgetHere();
    say(t("page.recent.forgotten"));
    summary.focus();
  });
}
