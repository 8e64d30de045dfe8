// The page that translates: what its parts have to do with each other.

import { data, find, languageName, t } from "../strings.js";
import * as choices from "./choices.js";
import * as clipboard from "../clipboard.js";
import * as dialog from "./dialog.js";
import * as downloads from "./downloads.js";
import * as key from "../key.js";
import * as keyform from "../keyform.js";
import * as example from "./example.js";
import * as files from "./files.js";
import * as formality from "./formality.js";
import * as glossary from "./glossary.js";
import * as hint from "./hint.js";
import * as languages from "./languages.js";
import * as link from "../link.js";
import * as reader from "../reader.js";
import * as recent from "./recent.js";
import * as result from "./result.js";
import * as save from "./save.js";
import * as scrolling from "./scrolling.js";
import * as see from "./see.js";
import * as sentence from "./sentence.js";
import * as snippets from "./snippets.js";
import * as speech from "./speech.js";
import { say } from "./status.js";
import { countCharacters } from "./text.js";
import { inBrowser, inTab } from "../storage.js";
import { current, onResult, translate, translateSoon, wanted } from "./translate.js";
import * as undo from "./undo.js";
import * as word from "./word.js";

const q = find("q");
const count = find("count");
const TAB = "translator.tab"; // what stands on the page, in this tab
const PAIR = "translator.pair"; // the last pair, in this browser

/** Show what depends on the text at once, before it is translated. */
function noteText() {
  const length = countCharacters(q.value);
  count.textContent = t("page.count", { count: length, limit: data.charLimit });
  count.classList.toggle("over", length > data.charLimit);
  find("clear").disabled = q.value === "";
  example.update();
}

/** Put another text and pair into the page, and translate; it can be taken back. */
function load(wish) {
  const before = { ...wanted(), ...languages.pair() };
  put(wish);
  undo.note(() => put(before));
}

function put({ q: text, source, target, isChosen, formality: form }) {
  languages.choose(source, target, isChosen);
  if (form) formality.choose(form);
  q.value = text;
  noteText();
  noteWish();
  translate();
}

/** Swap the languages; the translation becomes the text, unless it is of another text by now. */
function swap() {
  const pair = languages.swapped();
  if (pair) load({ q: (current() && result.text()) || q.value, ...pair });
}

/** Let the address and the programs below say what is wanted now; texts stand in the address by "Link" only. */
function noteWish() {
  const linked = link.readFragment(location.hash);
  if (linked && link.fragmentOf(wanted()) !== link.fragmentOf(linked)) link.write(null);
  snippets.update();
}

/** Return what a link asks for, if the address is one; a query becomes a fragment, which no server sees. */
function readLink() {
  const query = link.readQuery(location.search);
  const linked = link.readFragment(location.hash) ?? query;
  return { linked, isQuery: linked !== null && linked === query };
}

/** Begin with what a link asks for, with what this tab had, or with the last pair. */
function begin() {
  const { linked, isQuery } = readLink();
  const found = inTab.read(TAB);
  const kept = typeof found?.q === "string" ? found : null;
  const pair = inBrowser.read(PAIR);
  const isKept = kept && (!linked || link.fragmentOf({ ...linked, q: linked.q || kept.q }) === link.fragmentOf(kept));
  if (isKept) {
    choices.take(kept.choices ?? []);
    put(kept);
  } else if (linked) put({ ...linked, q: linked.q || (kept?.q ?? "") });
  else if (pair) languages.choose(pair.source, pair.target, pair.isChosen);
  if (isQuery) link.write(wanted());
  noteText();
}

/** Leave nothing of what was translated: not on the page, in the address, or to be undone. */
function forget() {
  choices.take([]);
  undo.forget();
  put({ ...languages.pair(), q: "" });
  link.write(null);
  for (const shelf of [inTab, inBrowser]) for (const name of [TAB, PAIR]) shelf.write(name, null);
}

const keepInTab = () => inTab.write(TAB, { ...wanted(), ...languages.pair(), choices: choices.list() });
addEventListener("pagehide", keepInTab);

q.addEventListener("input", () => {
  noteText();
  noteWish();
  if (q.value === "") translate();
  else translateSoon();
});

q.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) translate();
});

find("swap").addEventListener("click", swap);

find("clear").addEventListener("click", () => {
  load({ ...languages.pair(), q: "" });
  q.focus();
});

find("copy").addEventListener("click", async () => say(await clipboard.copy(result.text(), result.box)));

find("link").addEventListener("click", async () => {
  link.write(wanted());
  const isCopied = await clipboard.write(location.href);
  if (!link.fits(q.value)) say(t("page.link_too_long"));
  else say(t(isCopied ? "page.link_copied" : "page.link_by_hand"));
});

find("translate").addEventListener("submit", (event) => {
  event.preventDefault();
  translate();
});

onResult((found, isPending) => {
  find("copy").disabled = find("link").disabled = found === null;
  if (isPending) return;
  find("via").hidden = !found?.via;
  find("how-to-see").textContent = t(found?.via ? "see.keys_two_models" : "see.keys");
  if (found?.via) find("via").textContent = t("see.via", { language: languageName(found.via) });
  keepInTab();
});

/** Take up another choice of the reader's; the pair is the first one next time. */
function noteChoice() {
  const { source, target, isChosen } = languages.pair();
  inBrowser.write(PAIR, { source, target, isChosen });
  noteWish();
  translate();
  example.update();
}

reader.begin();
languages.begin(noteChoice, recent.read());
formality.begin(noteChoice);
glossary.begin(translate);
downloads.begin(noteChoice);
see.begin();
word.begin();
sentence.begin();
scrolling.begin();
dialog.begin();
recent.begin(load, forget);
example.begin((text) => load({ ...languages.pair(), q: text }));
hint.begin(load);
save.begin();
speech.begin();
snippets.begin();
files.begin();
keyform.begin(translate);
key.onChange(snippets.update);
begin();
addEventListener("hashchange", () => {
  const { linked } = readLink();
  if (linked) load({ ...linked, q: linked.q || q.value });
});
