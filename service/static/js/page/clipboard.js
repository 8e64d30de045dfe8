// Copying, also where the browser gives no clipboard: without HTTPS.

import { write } from "../clipboard.js";
import { t } from "../strings.js";
import { say } from "./status.js";

/**
 * Copy a text; if that is not allowed, select the element that shows it, for Ctrl+C. `tell` says
 * which of both it was.
 */
export async function copy(text, element, tell = say) {
  if (await write(text)) return tell(t("page.copied"));
  getSelection().selectAllChildren(element);
  return tell(t("page.copy_by_hand"));
}

/** Copy the address of the page, which holds the text if that `fits`; else say where to find it. */
export async function copyAddress(fits) {
  const isCopied = await write(location.href);
  if (!fits) say(t("page.link_too_long"));
  else say(t(isCopied ? "page.link_copied" : "page.link_by_hand"));
}
