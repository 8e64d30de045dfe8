// The clipboard, which browsers give to pages with HTTPS only.

import { t } from "./strings.js";

/** Copy a text; return whether that was allowed. */
export const write = (text) =>
  Promise.resolve(navigator.clipboard?.writeText(text).then(() => true, () => false));

/** Copy a text, or select the element that shows it, where that is left to the reader; return which, in words. */
export async function copy(text, element) {
  if (await write(text)) return t("page.copied");
  getSelection().selectAllChildren(element);
  return t("page.copy_by_hand");
}
