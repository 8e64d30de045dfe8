// Both sides, sentence beside sentence: on paper, and as a file.

import { find, languageName, make, t } from "../strings.js";
import * as result from "./result.js";
import { current, onResult } from "./translate.js";
import { download, zip } from "./blobs.js";

const menu = find("save");
const paper = find("paper");
const bytesOf = (text) => new TextEncoder().encode(text);
const escaped = (text) => // XML has none of the signs below the space
  text.replace(/[^\t\n\r\u0020-\uffff]/g, "").replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

const sentences = () => result.sentences().filter(({ source }) => source);

const MAKERS = {
  txt: ({ q }) => new Blob([`${q}\n\n${"—".repeat(20)}\n\n${result.text()}\n`], { type: "text/plain" }),
  docx: () => zip(wordFiles().map(([name, text]) => ({ name, bytes: bytesOf(XML + text) }))),
  tmx: ({ from, target }) => {
    const variant = (code, text) => `<tuv xml:lang="${escaped(code)}"><seg>${escaped(text)}</seg></tuv>`;
    const units = sentences().map((one) => `<tu>${variant(from, one.source)}${variant(target, one.text)}</tu>\n`);
    const head = `<header creationtool="translator" creationtoolversion="1" segtype="sentence" o-tmf="none" adminlang="en" srclang="${escaped(from)}" datatype="plaintext"/>`;
    return new Blob([XML, `<tmx version="1.4">${head}<body>\n${units.join("")}</body></tmx>\n`], { type: "application/xml" });
  },
};

/** Return the files that a document of Word is made of, with one table. */
function wordFiles() {
  const office = "http://schemas.openxmlformats.org";
  const cell = (text) => `<w:tc><w:p><w:r><w:t xml:space="preserve">${escaped(text)}</w:t></w:r></w:p></w:tc>`;
  const rows = sentences().map(({ source, text }) => `<w:tr>${cell(source)}${cell(text)}</w:tr>`);
  const table = `<w:tbl><w:tblPr><w:tblW w:w="5000" w:type="pct"/></w:tblPr><w:tblGrid><w:gridCol w:w="4800"/><w:gridCol w:w="4800"/></w:tblGrid>${rows.join("")}</w:tbl><w:p/>`;
  const main = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml";
  return [
    ["[Content_Types].xml", `<Types xmlns="${office}/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="${main}"/></Types>`],
    ["_rels/.rels", `<Relationships xmlns="${office}/package/2006/relationships"><Relationship Id="r1" Type="${office}/officeDocument/2006/relationships/officeDocument" Target="document.xml"/></Relationships>`],
    ["document.xml", `<w:document xmlns:w="${office}/wordprocessingml/2006/main"><w:body>${table}</w:body></w:document>`],
  ];
}

/** Put both sides on paper; what is being translated is printed as far as it is. */
function print() {
  const { from, target } = current() ?? {};
  const cell = (lang, text) => make("td", { dir: "auto", lang: lang ?? "" }, text);
  const rows = sentences().map((one) => make("tr", {}, cell(from, one.source), cell(target, one.text)));
  const head = [from, target].filter(Boolean).map((code) => make("th", { scope: "col" }, languageName(code)));
  paper.replaceChildren(make("table", {}, make("thead", {}, make("tr", {}, ...head)), make("tbody", {}, ...rows)));
  if (!current()) paper.prepend(make("p", {}, t("page.outdated")));
}

/** Begin. */
export function begin() {
  for (const button of menu.querySelectorAll("button")) {
    const { kind } = button.dataset;
    button.addEventListener("click", () => {
      menu.open = false;
      if (current()) download(MAKERS[kind](current()), `translation.${kind}`);
    });
  }
  menu.addEventListener("focusout", (event) => menu.contains(event.relatedTarget) || (menu.open = false));
  menu.addEventListener("keydown", (event) => event.key === "Escape" && (menu.open = false));
  onResult((found) => (menu.inert = !found));
  addEventListener("beforeprint", print);
  addEventListener("afterprint", () => paper.replaceChildren());
}
