// The form that asks for a key, where the service takes one. It opens when the service refuses.

import { ask, RequestError } from "./api.js";
import * as key from "./key.js";
import { data, find, t } from "./strings.js";

const panel = find("key-panel");

/** Show whether there is a key, and what is wrong with it. */
function draw(problem = "") {
  const hasKey = key.read() !== "";
  find("key-enter").hidden = hasKey;
  find("key-kept").hidden = !hasKey;
  find("key-problem").textContent = problem;
  find("key-problem").hidden = problem === "";
  find("key").setAttribute("aria-invalid", String(problem !== ""));
  if (problem || (!hasKey && data.keys === "required")) panel.open = true;
}

/** Ask the service whether it accepts a key, and keep it only then. */
async function use(text) {
  const former = key.read();
  try {
    if (!key.isPossible(text)) throw new RequestError(t("errors.invalid_key"));
    key.keep(text);
    await ask(data.addresses.detect, { q: "Hello" });
    return true;
  } catch (problem) {
    key.keep(former);
    draw(problem.message);
    return false;
  }
}

/** Begin, if the page has the form; `onUsed()` is called when a key was accepted. */
export function begin(onUsed) {
  if (!panel) return;
  key.onChange((code) => {
    if (key.isRefusal(code)) {
      const isOld = code === "invalid_key" && key.read();
      if (isOld) find("key").value = key.read();
      if (isOld) key.keep("");
      draw(code === "invalid_key" ? t("errors.invalid_key") : "");
      panel.open = true;
    } else draw();
  });
  panel.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (!(await use(find("key").value.trim()))) return find("key").select();
    find("key").value = "";
    panel.open = false;
    find("key-summary").focus();
    return onUsed();
  });
  find("forget-key").addEventListener("click", () => {
    key.keep("");
    find("key").focus();
  });
  draw();
}
