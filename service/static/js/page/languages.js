// The two lists of languages: which pairs there are, what was detected, and the swap.

import { data, directionOf, find, languageName, make, t } from "../strings.js";
import { searchable } from "./menu.js";

const source = find("source");
const target = find("target");
const swap = find("swap");
const translation = find("translation");
const narrow = find("detected"); // where a list is too narrow for what was detected
const lacking = find("lacking");
export const AUTO = "auto";

const USUAL_TARGET = "en";
const LONGEST_NAME = 40;
const MANY = 8; // languages that are looked through at a glance

let detected = null;
let isTargetChosen = false; // by the reader, not by this page
let taken = null; // the pair after the last choice
const listeners = [];

/** Call a function when another pair is chosen, or another language is detected. */
export const onUpdate = (listener) => listeners.push(listener);

/** Return the chosen pair; `from` is the detected language where it is to be detected. */
export function chosen() {
  return { source: source.value, target: target.value, from: source.value === AUTO ? detected : source.value };
}

function targetsOf(code) {
  const own = code === AUTO ? detected : code;
  if (!own) return allTargets();
  return data.languages.find((language) => language.code === own)?.targets ?? [];
}

const allTargets = () => [...new Set(data.languages.flatMap((language) => language.targets))];

/** Return the languages that can be translated into another. */
export const sourcesOf = (code) =>
  data.languages.filter(({ targets }) => targets.includes(code)).map((language) => language.code);

/** Return the code of a language as the lists have it, by one of another case or region; or "". */
function known(select, code) {
  const parts = code.toLowerCase().replaceAll("_", "-").split("-");
  const prefixes = parts.map((_, count) => parts.slice(0, parts.length - count).join("-"));
  const codes = [...select.options].map((option) => option.value);
  return prefixes.map((one) => codes.find((own) => own.toLowerCase() === one)).find(Boolean) ?? "";
}

/** Show which languages of a link or of a former visit the server does not have; it chooses none for them. */
function noteLacking(codes) {
  const said = Object.entries(codes).map(([side, code]) =>
    t(`page.lacking.${side}`, { language: languageName(code).slice(0, LONGEST_NAME) }));
  lacking.textContent = said.join(" ");
  lacking.hidden = said.length === 0;
}

/** Choose a pair as far as there is one; `isChosen` tells whether the reader wants that target. */
export function choose(from, to, isChosen = true) {
  const [ours, theirs] = [known(source, String(from ?? "")), known(target, String(to ?? ""))];
  if (ours) source.value = ours;
  if (theirs) {
    target.value = theirs;
    isTargetChosen = isChosen;
  }
  update();
  noteLacking({
    ...(from && !ours && { source: from }),
    ...(to && to !== AUTO && !theirs && { target: to }),
  });
}

/** Return the pair as it can be chosen again. */
export const pair = () => ({ source: source.value, target: target.value, isChosen: isTargetChosen });

/** Note the language that the server has detected, and show it; null forgets it. */
export function noteDetected(code) {
  detected = source.value === AUTO && data.languages.some((one) => one.code === code) ? code : null;
  source.options[0].textContent = detected
    ? t("page.detected", { language: languageName(detected) })
    : t("page.detect");
  narrow.textContent = detected ? source.options[0].textContent : "";
  narrow.hidden = !detected;
  updateTargets(false);
}

/** Return the pair the other way round, if there is one. */
export function swapped() {
  const { from, target: to } = chosen();
  return from && targetsOf(to).includes(from) ? { source: to, target: from } : null;
}

/** Offer only targets that there are; where the chosen one is not among them, choose another. */
function updateTargets(mayChoose) {
  const targets = targetsOf(source.value);
  for (const option of target.options) {
    const isOffered = targets.includes(option.value) || option.classList.contains("distant");
    option.disabled = !isOffered && option.value !== target.value;
  }
  if (mayChoose && targets.length && !targets.includes(target.value)) target.value = bestOf(targets);
  swap.disabled = swapped() === null;
  for (const listener of listeners) listener();
}

/** Show what has changed in the lists. */
export const refresh = () => updateTargets(false);

const bestOf = (targets) =>
  [data.lang, USUAL_TARGET].find((code) => targets.includes(code)) ?? targets[0];

/** Choose another target where the text is in that language already, unless the reader chose it. */
export function avoidTarget(code) {
  const others = targetsOf(code).filter((other) => other !== code);
  if (isTargetChosen || source.value !== AUTO || code !== target.value || others.length === 0) return false;
  target.value = bestOf(others);
  update();
  return true;
}

/** Return the pair as it was before a choice that this page has not taken over. */
export const former = () => taken;

function update() {
  noteDetected(null);
  updateTargets(true);
  taken = { source: source.value, target: target.value };
  translation.lang = target.value;
  translation.dir = directionOf(target.value);
  find("q").lang = source.value === AUTO ? "" : source.value;
}

/** Put recent languages first where there are many; the others keep their order. */
export function putFirst(menu, recent) {
  const options = [...menu.options].filter((option) => option.value !== AUTO);
  const first = recent.map((code) => options.find((option) => option.value === code)).filter(Boolean);
  if (options.length <= MANY || first.length === 0) return;
  const others = options.filter((option) => !first.includes(option));
  menu.append(
    make("optgroup", { label: t("page.recent.languages") }, ...first),
    make("optgroup", { label: t("page.other_languages") }, ...others),
  );
}

/** Take languages that have come to the server since the page was opened into the lists. */
export function replace(found) {
  const known = new Set(data.languages.map((language) => language.code));
  data.languages = found;
  for (const { code, name, targets } of found.filter((language) => !known.has(language.code))) {
    const menus = [targets.length && source, allTargets().includes(code) && target].filter(Boolean);
    for (const menu of menus) menu.append(make("option", { value: code }, name));
  }
}

/** Begin: call `onChange` for every choice; `recent` has pairs that were translated, the latest first. */
export function begin(onChange, recent = []) {
  putFirst(source, [...new Set(recent.map((pair) => pair.source))]);
  putFirst(target, [...new Set(recent.map((pair) => pair.target))]);
  if (data.languages.length > MANY) listeners.push(searchable(source), searchable(target));
  source.value = AUTO;
  target.value = bestOf(allTargets()) ?? "";
  update();
  source.addEventListener("change", () => (noteLacking({}), update(), onChange()));
  target.addEventListener("change", () => {
    noteLacking({});
    isTargetChosen = true;
    update();
    onChange();
  });
}
