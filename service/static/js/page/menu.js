// A list of many languages that can be searched, in the place of a <select>, which keeps the choice.
//
// A button shows what is chosen; it opens a search field and the list below it (the combobox of
// WAI-ARIA, whose focus stays in the field). Few languages keep the browser's own list.

import { data, make, t } from "../strings.js";

const LETTER = /^\p{L}$/u;
const FINGER = "(pointer: coarse)"; // a focused field would bring up a keyboard over the list

/** Return what is compared: small letters without accents. */
const plain = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();

/** Return what a language calls itself; the server knows more of them than browsers do. */
const ownName = (code) => data.names[code]?.[1] ?? "";

/**
 * Return options that a query asks for, the best first: those of which a word begins with it, by
 * any of their names or their code, then those that have it inside a name.
 */
export function matching(options, query) {
  const wanted = plain(query.trim());
  const rank = ({ value, text }) => {
    const names = [text, ownName(value)].map(plain);
    if (value.toLowerCase() === wanted) return 0;
    const begins = (name) => name.startsWith(wanted) || name.split(/[\s(]+/u).some((word) => word.startsWith(wanted));
    return names.some(begins) ? 1 : names.some((name) => name.includes(wanted)) ? 2 : 3;
  };
  const ranked = options.map((option) => [rank(option), option]).filter(([place]) => place < 3);
  return ranked.sort(([one], [other]) => one - other).map(([, option]) => option);
}

/** Put a searchable list in the place of a <select>; return what shows its choice anew. */
export function searchable(select) {
  const id = select.id;
  const label = document.querySelector(`label[for="${id}"]`);
  label.id = `${id}-label`;
  const shown = make("span");
  const button = make("button", {
    type: "button", id: `${id}-open`, className: "menu-open", "aria-haspopup": "listbox",
    "aria-expanded": "false", "aria-labelledby": `${id}-label ${id}-open`,
  }, shown);
  const field = make("input", {
    type: "search", id: `${id}-search`, role: "combobox", autocomplete: "off", spellcheck: false,
    placeholder: t("page.search_language"), "aria-label": `${label.textContent}. ${t("page.search_language")}`,
    "aria-autocomplete": "list", "aria-expanded": "true", "aria-controls": `${id}-list`,
  });
  const list = make("div", { id: `${id}-list`, role: "listbox", tabIndex: -1, className: "menu-list", "aria-labelledby": `${id}-label` });
  const none = make("p", { className: "note", role: "status" });
  const panel = make("div", { className: "menu", hidden: true }, field, list, none);
  select.hidden = true;
  select.after(button);
  select.closest(".languages").append(panel);
  let active = null;

  const entries = () => [...list.querySelectorAll("[role=option]")];

  function activate(entry) {
    active?.classList.remove("active");
    active = entry ?? null;
    active?.classList.add("active");
    active?.scrollIntoView({ block: "nearest" });
    if (active) field.setAttribute("aria-activedescendant", active.id);
    else field.removeAttribute("aria-activedescendant");
  }

  function entryOf(option) {
    const own = option.value && ownName(option.value);
    const isOther = own && plain(own) !== plain(option.text);
    const entry = make("div", {
      className: option.className, role: "option", id: `${id}-${option.value}`, "data-code": option.value,
      "aria-selected": String(option.value === select.value), "aria-disabled": String(option.disabled),
    }, option.text);
    if (isOther) entry.append(" ", make("span", { className: "own-name", lang: option.value, "aria-hidden": "true" }, own));
    return entry;
  }

  function groupOf(group) {
    const entries = [...group.children].map(entryOf);
    return make("div", { role: "group", "aria-label": group.label }, make("p", { className: "note", "aria-hidden": "true" }, group.label), ...entries);
  }

  function fill() {
    const query = field.value.trim();
    if (query) list.replaceChildren(...matching([...select.options], query).map(entryOf));
    else list.replaceChildren(...[...select.children].map((one) => (one.label && one.children.length ? groupOf(one) : entryOf(one))));
    const found = entries();
    const usable = found.filter((entry) => entry.ariaDisabled !== "true");
    activate(query ? usable[0] : (found.find((entry) => entry.ariaSelected === "true") ?? usable[0]));
    none.textContent = found.length ? "" : t("page.no_such_language");
  }

  function open(isOpen, isFocused = true) {
    panel.hidden = !isOpen;
    button.setAttribute("aria-expanded", String(isOpen));
    if (isOpen) {
      field.value = "";
      fill();
    }
    const inside = matchMedia(FINGER).matches ? list : field;
    if (isFocused) (isOpen ? inside : button).focus();
  }

  function choose(entry) {
    if (!entry || entry.ariaDisabled === "true") return;
    const isNew = select.value !== entry.dataset.code;
    select.value = entry.dataset.code;
    open(false);
    refresh();
    if (isNew) select.dispatchEvent(new Event("change", { bubbles: true }));
  }

  function step(by) {
    const usable = entries().filter((entry) => entry.ariaDisabled !== "true");
    if (usable.length) activate(usable.at((usable.indexOf(active) + by + usable.length) % usable.length));
  }

  function refresh() {
    shown.textContent = select.selectedOptions[0]?.text ?? "";
    if (!panel.hidden) fill();
  }

  button.addEventListener("click", () => open(panel.hidden));
  button.addEventListener("keydown", (event) => {
    const isTyped = LETTER.test(event.key) && !event.ctrlKey && !event.metaKey && !event.altKey;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") event.preventDefault();
    else if (!isTyped) return;
    open(true); // what is typed goes into the field, which has the focus now
  });
  field.addEventListener("input", fill);
  field.addEventListener("keydown", (event) => {
    const done = {
      ArrowDown: () => step(1), ArrowUp: () => step(-1), Enter: () => choose(active), Escape: () => open(false),
    }[event.key];
    if (done && !event.isComposing) {
      event.preventDefault();
      done();
    }
  });
  list.addEventListener("mousedown", (event) => event.preventDefault()); // the field keeps the focus
  list.addEventListener("click", (event) => choose(event.target.closest("[role=option]")));
  panel.addEventListener("focusout", (event) => {
    if (!panel.contains(event.relatedTarget) && event.relatedTarget !== button) open(false, false);
  });
  refresh();
  return refresh;
}
