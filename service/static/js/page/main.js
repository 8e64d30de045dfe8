// The page that translates: what its parts have to do with each other.

import { data, languageName, t } from "../strings.js";
import * as clipboard from "./clipboard.js";
import * as dialog from "./dialog.js";
import * as downloads from "./downloads.js";
import * as key from "../key.js";
import * as keyform from "../keyform.js";
import * as example from "./example.js";
import * as files from "./files.js";
import * as languages from "./languages.js";
import * as link from "../link.js";
import * as recent from "./recent.js";
import * as result from "./result.js";
import * as scrolling from "./scrolling.js";
import * as see from "./see.js";
import * as sentence from "./sentence.js";
import * as snippets from "./snippets.js";
import { countCharacters } from "./text.js";
import { onResult, translate, translateSoon } from "./translate.js";
import * as undo from "./undo.js";

const find = (id) => document.getElementById(id);
const q = find("q");
const count = find("count");

/** Show what depends on the text at once, before it is translated. */
function noteText() {
  const length = countCharacters(q.value);
  count.textContent = t("page.count", { count: length, limit: data.charLimit });
  count.classList.toggle("over", length > data.charLimit);
  find("clear").disabled = q.value === "";
  example.update();
}

/** Put another text and pair into the page, and translate; it can be taken back. */
function load({ q: text, source, target }) {
  const before = { q: q.value, ...languages.chosen() };
  put(text, source, target);
  undo.note(() => put(before.q, before.source, before.target));
}

function put(text, source, target) {
  languages.choose(source, target);
  q.value = text;
  noteText();
  translate();
  snippets.update();
}

function swap() {
  const pair = languages.swapped();
  if (pair) load({ q: result.text() || q.value, ...pair });
}

function readLink() {
  const found = link.readFragment(location.hash) ?? link.readQuery(location.search);
  if (!found) return false;
  put(found.q || q.value, found.source, found.target);
  if (q.value) link.write({ q: q.value, ...languages.chosen() });
  return true;
}

q.addEventListener("input", () => {
  noteText();
  if (q.value === "") translate();
  else translateSoon();
  snippets.update();
});

q.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) translate();
});

find("swap").addEventListener("click", swap);

find("clear").addEventListener("click", () => {
  const { source, target } = languages.chosen();
  load({ q: "", source, target });
  q.focus();
});

find("copy").addEventListener("click", () => clipboard.copy(result.text(), result.box));

find("link").addEventListener("click", () => {
  const fields = { q: q.value, ...languages.chosen() };
  link.write(fields);
  clipboard.copyAddress(link.fits(q.value));
});

find("translate").addEventListener("submit", (event) => {
  event.preventDefault();
  translate();
});

onResult((found) => {
  find("via").hidden = !found?.via;
  find("how-to-see").textContent = t(found?.via ? "see.keys_two_models" : "see.keys");
  if (found?.via) find("via").textContent = t("see.via", { language: languageName(found.via) });
  find("copy").disabled = find("link").disabled = found === null;
  if (found) link.write(found);
  else if (q.value === "") link.write(null);
});

languages.begin(() => {
  translate();
  example.update();
  snippets.update();
}, recent.read());
downloads.begin(() => {
  translate();
  example.update();
});
see.begin({ onSentence: sentence.take, onOpen: dialog.openMap });
sentence.begin(dialog.openMap);
scrolling.begin();
dialog.begin();
recent.begin(load);
example.begin((text) => load({ ...languages.chosen(), q: text }));
snippets.begin();
files.begin();
keyform.begin(translate);
key.onChange(snippets.update);
noteText();
addEventListener("hashchange", readLink);
if (!readLink() && q.value !== "") translate(); // the browser has kept an earlier text
