// Translate as you type: wait for a pause, drop the answer to anything that has changed since.

const DEBOUNCE_MS = 350;

const form = document.getElementById("translate");
const [source, target, swap, q, count, clear, translation, status, copy, error] = [
  "source", "target", "swap", "q", "count", "clear", "translation", "status", "copy", "error",
].map((id) => document.getElementById(id));
const result = translation.closest(".pane");
const charLimit = Number(q.dataset.limit);

let timer = 0;
let running = null; // AbortController of the request on its way

function targetsOf(code) {
  const option = [...source.options].find((candidate) => candidate.value === code);
  return option ? option.dataset.targets.split(" ") : [];
}

/** Offer only the targets that the chosen source has, and the swap only where there is a way back. */
function updateLanguages() {
  const targets = targetsOf(source.value);
  for (const option of target.options) {
    option.disabled = !targets.includes(option.value);
  }
  if (target.selectedOptions[0]?.disabled ?? true) {
    target.value = targets.find((code) => code !== source.value) ?? targets[0];
  }
  swap.disabled = !targetsOf(target.value).includes(source.value);
  q.lang = source.value;
  translation.lang = target.value;
}

/** Count as the server does, in code points: an emoji is one. */
function countCharacters() {
  return [...q.value].length;
}

function updateCount() {
  const length = countCharacters();
  count.textContent = `${length.toLocaleString("en")} / ${charLimit.toLocaleString("en")}`;
  count.classList.toggle("over", length > charLimit);
  clear.hidden = length === 0;
}

function show(text) {
  translation.value = text;
  copy.disabled = text === "";
}

function setBusy(isBusy) {
  result.setAttribute("aria-busy", String(isBusy));
  status.textContent = isBusy ? "Translating…" : "";
}

/** Forget the request that is waiting or on its way. */
function cancel() {
  clearTimeout(timer);
  running?.abort();
  running = null;
  setBusy(false);
}

function fail(message) {
  show("");
  error.textContent = message;
}

async function fetchTranslation(signal) {
  const response = await fetch(form.action, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ q: q.value, source: source.value, target: target.value }),
    signal,
  });
  const answer = await response.json().catch(() => ({}));
  if (!response.ok) {
    throw new Error(answer.error ?? `The server answered with status ${response.status}.`);
  }
  return answer.translatedText;
}

async function translate() {
  cancel();
  error.textContent = "";
  if (q.value.trim() === "") {
    show("");
    return;
  }
  if (countCharacters() > charLimit) {
    fail(`The text is longer than ${charLimit.toLocaleString("en")} characters.`);
    return;
  }
  const request = new AbortController();
  running = request;
  setBusy(true);
  try {
    const text = await fetchTranslation(request.signal);
    if (running === request) show(text);
  } catch (problem) {
    if (running === request) {
      const unreachable = problem instanceof TypeError;
      fail(unreachable ? "The server cannot be reached." : problem.message);
    }
  }
  if (running === request) {
    running = null;
    setBusy(false);
  }
}

function translateSoon() {
  clearTimeout(timer);
  timer = setTimeout(translate, DEBOUNCE_MS);
}

q.addEventListener("input", () => {
  updateCount();
  if (q.value === "") translate();
  else translateSoon();
});

for (const select of [source, target]) {
  select.addEventListener("change", () => {
    updateLanguages();
    translate();
  });
}

swap.addEventListener("click", () => {
  [source.value, target.value] = [target.value, source.value];
  if (translation.value !== "") q.value = translation.value;
  updateLanguages();
  updateCount();
  translate();
});

clear.addEventListener("click", () => {
  q.value = "";
  updateCount();
  translate();
  q.focus();
});

copy.addEventListener("click", async () => {
  try {
    await navigator.clipboard.writeText(translation.value);
    status.textContent = "Copied";
  } catch {
    translation.select(); // no clipboard without HTTPS: leave the text selected for Ctrl+C
    status.textContent = "Press Ctrl+C to copy";
  }
});

form.addEventListener("submit", (event) => {
  event.preventDefault();
  translate();
});

updateLanguages();
updateCount();
if (q.value !== "") translate(); // the browser has restored an earlier text
