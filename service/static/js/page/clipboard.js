// Copying, also where the browser gives no clipboard: without HTTPS.

import { t } from "../strings.js";

const status = document.getElementById("status");

/** Copy a text; if that is not allowed, select the element that shows it, for Ctrl+C. */
export async function copy(text, element, done = t("page.copied")) {
  try {
    await navigator.clipboard.writeText(text);
    status.textContent = done;
  } catch {
    if (element) getSelection().selectAllChildren(element);
    status.textContent = t("page.copy_by_hand");
  }
}
