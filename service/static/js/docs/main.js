// The page of the API: show only the addresses and objects that have all words of a search.

import * as reader from "../reader.js";

const field = document.getElementById("search");
const count = document.getElementById("search-found");
const sections = [...document.querySelectorAll("main section")];
const textOf = new Map(sections.map((section) => [section, section.textContent.toLowerCase()]));

function search() {
  const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
  for (const section of sections) section.hidden = !words.every((word) => textOf.get(section).includes(word));
  for (const link of document.querySelectorAll("nav li a")) {
    link.parentElement.hidden = document.getElementById(link.hash.slice(1))?.hidden ?? false;
  }
  const found = sections.filter((section) => !section.hidden).length;
  const fields = { found, count: sections.length };
  count.textContent = words.length ? count.dataset.words.replace(/{(\w+)}/g, (_, name) => fields[name]) : "";
}

reader.begin();
document.getElementById("search-line").hidden = false;
field.addEventListener("input", search);
search(); // the browser has kept what was typed
