// The language of the pages: who has chosen it in the header keeps it, and the text on the page.

import { inBrowser } from "./storage.js";

const NAME = "translator.lang";

function addressIn(code) {
  const address = new URL(location.href);
  address.searchParams.set("lang", code);
  return address;
}

/** Begin: go to the language that was chosen, where the address asks for none. */
export function begin() {
  const links = [...document.querySelectorAll(".interface-languages a")];
  for (const link of links) {
    link.addEventListener("click", () => {
      inBrowser.write(NAME, link.hreflang);
      link.href = addressIn(link.hreflang);
    });
  }
  const chosen = inBrowser.read(NAME);
  const isOther = links.some((link) => link.hreflang === chosen);
  if (isOther && !new URLSearchParams(location.search).has("lang")) location.replace(addressIn(chosen));
}
