// The block of data that the server puts into a page: languages, limits, addresses and strings.

export const data = JSON.parse(document.getElementById("page-data").textContent);

const number = new Intl.NumberFormat(data.lang);

/** Return a string of the interface, such as t("page.count", {count: 3}), its fields filled in. */
export function t(path, fields = {}) {
  return (stringAt(path) ?? path).replace(/\{(\w+)\}/g, (whole, name) => {
    const value = fields[name] ?? whole;
    return typeof value === "number" ? number.format(value) : value;
  });
}

const stringAt = (path) => path.split(".").reduce((found, name) => found?.[name], data.strings);

/** Return whether there is such a string. */
export const has = (path) => typeof stringAt(path) === "string";

/** Return the name of a language for people, also of one that the service does not have. */
export function languageName(code) {
  const name = data.names[code]?.[0];
  if (name || !code) return name ?? code;
  try {
    return new Intl.DisplayNames([data.lang], { type: "language" }).of(code);
  } catch {
    return code; // it is none, as where somebody has changed what is kept
  }
}

/** Return `rtl` or `ltr`. */
export function directionOf(code) {
  return data.languages.find((language) => language.code === code)?.rtl ? "rtl" : "ltr";
}

/** Return the element of that id. */
export const find = (id) => document.getElementById(id);

/** Make an element: properties and handlers by name, then children (text or elements). Text is never markup. */
export function make(name, properties = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (key in element && key !== "role") element[key] = value;
    else element.setAttribute(key, value);
  }
  element.append(...children);
  return element;
}

/** Make a button that removes something; `label` says what. */
export const cross = (label, onclick) =>
  make("button", { type: "button", className: "round", ariaLabel: label, title: label, onclick }, "×");
