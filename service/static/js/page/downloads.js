// Languages that the server can download: grey in the lists. Choosing one asks once.

import { ask } from "../api.js";
import { data, find, languageName, make, t } from "../strings.js";
import * as languages from "./languages.js";

const ADDRESS = data.addresses.downloads; // "" if the operator does not allow it
const LOOK_EVERY_MS = 1000;

const menus = [find("source"), find("target")];
let answer = () => {};
const pause = () => new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));

/** Put what could be downloaded behind the languages that are there. */
function list(offers) {
  const here = new Set(data.languages.map((language) => language.code));
  const codes = offers.map(({ code }) => code).filter((code) => !here.has(code));
  const named = codes.map((code) => ({ code, name: languageName(code) }));
  named.sort((one, other) => one.name.localeCompare(other.name, data.lang));
  for (const menu of menus) {
    menu.querySelector("optgroup.distant")?.remove();
    if (named.length === 0) continue;
    const options = named.map(({ code, name }) =>
      make("option", { value: code, className: "distant", "data-distant": "" }, name));
    menu.append(make("optgroup", { className: "distant", label: t("page.download.group") }, ...options));
  }
}

function show(text) {
  find("download-progress").textContent = text;
  find("download-progress").hidden = text === "";
}

function tell({ code, state, done, total }) {
  const key = { failed: "failed", importing: "importing", done: "importing" }[state] ?? "waiting";
  show(t(`page.download.${key}`, { language: languageName(code), percent: total ? Math.floor((100 * done) / total) : 0 }));
}

/** Ask whether a language is to be downloaded; a question that was not answered ends. */
function isWanted(code) {
  answer(false);
  const dialog = find("download");
  const fields = { language: languageName(code) };
  find("download-heading").textContent = t("page.download.heading", fields);
  find("download-what").textContent = t("page.download.what", fields);
  dialog.returnValue = "";
  dialog.showModal();
  return new Promise((resolve) => {
    answer = resolve;
  });
}

/** Return the data that this page would have if it were opened now. */
async function readData() {
  const page = await (await fetch(location.pathname + location.search)).text();
  const fresh = new DOMParser().parseFromString(page, "text/html").getElementById("page-data");
  return JSON.parse(fresh.textContent);
}

async function isHere(code) {
  const found = await readData();
  if (found.small.includes(code) || !found.languages.some((language) => language.code === code)) return false;
  Object.assign(data.names, found.names);
  languages.replace(found.languages);
  return true;
}

async function fetchLanguage(code, pair, onArrival) {
  try {
    await ask(ADDRESS, { language: code });
    for (;;) {
      const offers = await (await fetch(ADDRESS)).json();
      const offer = offers.find((one) => one.code === code);
      if (offer) tell(offer);
      if ((!offer || offer.state === "done") && (await isHere(code))) {
        list(offers);
        show("");
        find(`small-${code}`)?.remove();
        languages.choose(pair.source, pair.target);
        onArrival();
        return;
      }
      await pause();
    }
  } catch (problem) {
    show(problem.message);
  }
}

/** Begin, if the operator allows downloads; `onArrival` is called when a language has come. */
export async function begin(onArrival) {
  if (!ADDRESS) return;
  find("download").addEventListener("close", ({ target }) => {
    if (!target.open) answer(target.returnValue === "yes"); // else it is late, of the question before
  });
  for (const button of document.querySelectorAll("[data-better]")) {
    button.addEventListener("click", async () => {
      button.disabled = true;
      await fetchLanguage(button.dataset.better, languages.pair(), onArrival);
      button.disabled = false;
    });
  }
  const bar = document.querySelector(".languages");
  bar.addEventListener("change", async (event) => {
    const menu = event.target;
    if (!menu.selectedOptions?.[0]?.classList.contains("distant")) return;
    event.stopPropagation(); // nobody translates to what is not there
    const code = menu.value;
    const former = languages.former();
    const pair = { ...former, [menu.id]: code };
    languages.choose(former.source, former.target);
    if (await isWanted(code)) fetchLanguage(code, pair, onArrival);
  }, true);
  try {
    list(await (await fetch(ADDRESS)).json());
    languages.refresh();
  } catch {
    return; // the page translates without them
  }
}
