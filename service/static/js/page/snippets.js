// The translation on the page as a command and as programs.

import { data, t } from "../strings.js";
import * as key from "../key.js";
import * as clipboard from "./clipboard.js";
import * as languages from "./languages.js";

const LONG = 400;
const code = document.querySelector("#snippet code");
const panel = document.getElementById("snippet");
const tabs = [...document.querySelectorAll("[data-snippet]")];
const q = document.getElementById("q");

/** Say beside the button what it has done. */
const tell = (text) => (document.getElementById("snippet-status").textContent = text);

const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;

const ownKey = (fields, name) => (fields.api_key ? `, ${name}: "${fields.api_key}"` : "");

const MAKERS = {
  curl: (url, fields, isLong) =>
    isLong
      ? `curl ${url} \\\n  --data-urlencode q@text.txt -d source=${fields.source} -d target=${fields.target}${fields.api_key ? ` -d api_key=${fields.api_key}` : ""}`
      : `curl ${url} \\\n  -H 'Content-Type: application/json' \\\n  -d ${quoted(JSON.stringify(fields))}`,
  python: (url, fields, isLong) =>
    [
      "import json",
      "import urllib.request",
      "",
      isLong ? 'text = open("text.txt", encoding="utf-8").read()' : `text = ${JSON.stringify(fields.q)}`,
      `fields = {"q": text, "source": "${fields.source}", "target": "${fields.target}"${ownKey(fields, '"api_key"')}}`,
      "request = urllib.request.Request(",
      `    "${url}",`,
      "    json.dumps(fields).encode(),",
      '    {"Content-Type": "application/json"},',
      ")",
      "with urllib.request.urlopen(request) as answer:",
      '    print(json.load(answer)["translatedText"])',
    ].join("\n"),
  javascript: (url, fields, isLong) =>
    [
      isLong ? 'import { readFileSync } from "node:fs";\n\nconst q = readFileSync("text.txt", "utf-8");' : `const q = ${JSON.stringify(fields.q)};`,
      `const response = await fetch("${url}", {`,
      '  method: "POST",',
      '  headers: { "Content-Type": "application/json" },',
      `  body: JSON.stringify({ q, source: "${fields.source}", target: "${fields.target}"${ownKey(fields, "api_key")} }),`,
      "});",
      "const { translatedText } = await response.json();",
      "console.log(translatedText);",
    ].join("\n"),
};

let isStale = true;

/** Write the snippet again if it can be seen; else when it is opened. */
export function update() {
  isStale = true;
  const drawer = document.getElementById("use");
  if (!drawer.open) return;
  isStale = false;
  const { source, target } = languages.chosen();
  const isLong = q.value.length > LONG;
  const fields = { q: q.value || "Guten Morgen!", source, target };
  if (data.keys === "required" || key.read()) fields.api_key = "YOUR-KEY"; // never the key itself
  const tab = tabs.find((one) => one.getAttribute("aria-selected") === "true");
  const url = new URL(data.addresses.translate, location.origin).href;
  const note = isLong ? `${tab.dataset.snippet === "javascript" ? "//" : "#"} ${t("page.use.long")}\n` : "";
  tell("");
  code.textContent = note + MAKERS[tab.dataset.snippet](url, fields, isLong);
}

function select(tab) {
  for (const one of tabs) {
    one.setAttribute("aria-selected", String(one === tab));
    one.tabIndex = one === tab ? 0 : -1;
  }
  panel.setAttribute("aria-labelledby", tab.id);
  update();
}

export function begin() {
  for (const tab of tabs) tab.addEventListener("click", () => select(tab));
  tabs[0].parentElement.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const place = tabs.indexOf(event.target);
    if (!step || place < 0) return;
    const tab = tabs.at((place + step) % tabs.length);
    select(tab);
    tab.focus();
  });
  document.getElementById("use").addEventListener("toggle", () => isStale && update());
  document.getElementById("copy-snippet").addEventListener("click", () => clipboard.copy(code.textContent, code, tell));
}
