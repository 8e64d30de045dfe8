// The block of data that the server puts into a page: languages, limits, addresses and strings.

export const data = JSON.parse(document.getElementById("page-data").textContent);

const number = new Intl.NumberFormat(data.lang);

/** Return a string of the interface, such as t("page.count", {count: 3}), its fields filled in. */
export function t(path, fields = {}) {
  const text = path.split(".").reduce((found, name) => found?.[name], data.strings);
  return typeof text === "string" ? fill(text, fields) : path;
}

/** Return whether there is such a string. */
export function has(path) {
  return typeof path.split(".").reduce((found, name) => found?.[name], data.strings) === "string";
}

function fill(text, fields) {
  return text.replace(/\{(\w+)\}/g, (whole, name) => {
    const value = fields[name];
    if (value === undefined) return whole;
    return typeof value === "number" ? number.format(value) : value;
  });
}

/** Return the name of a language for people, also of one that the service does not have. */
export function languageName(code) {
  const name = data.languages.find((language) => language.code === code)?.name;
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

/** Make an element: properties by name, then children (text or elements). Text is never markup. */
export function make(name, properties = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (key in element && key !== "role") element[key] = value;
    else element.setAttribute(key, value);
  }
  element.append(...children);
  return element;
}
