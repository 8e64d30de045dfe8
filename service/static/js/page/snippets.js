// The translation on the page as a command and as programs.

import { data, find, t } from "../strings.js";
import * as key from "../key.js";
import * as clipboard from "../clipboard.js";
import * as languages from "./languages.js";

const LONG = 400;
const code = document.querySelector("#snippet code");
const drawer = find("use");
const status = find("snippet-status"); // what the button beside it has done
const q = find("q");

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

/** Write the snippet again if it can be seen; else when it is opened. */
export function update() {
  if (!drawer.open) return;
  const { source, target } = languages.chosen();
  const isLong = q.value.length > LONG;
  const fields = { q: q.value || "Guten Morgen!", source, target };
  if (data.keys === "required" || key.read()) fields.api_key = "YOUR-KEY"; // never the key itself
  const program = document.querySelector("input[name=snippet]:checked").value;
  const url = new URL(data.addresses.translate, location.origin).href;
  const note = isLong ? `${program === "javascript" ? "//" : "#"} ${t("page.use.long")}\n` : "";
  status.textContent = "";
  code.textContent = note + MAKERS[program](url, fields, isLong);
}

export function begin() {
  find("snippets").addEventListener("change", update);
  drawer.addEventListener("toggle", update);
  find("copy-snippet").addEventListener("click", async () => {
    status.textContent = await clipboard.copy(code.textContent, code);
  });
}
