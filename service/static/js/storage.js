// What is kept in this browser, or in this tab of it, as JSON or as it is. A browser that keeps nothing is no error.

const shelf = (open, parse = JSON.parse, print = JSON.stringify) => ({
  /** Return what is kept under a name; null if that is nothing, or nonsense. */
  read(name) {
    try {
      return parse(open().getItem(name));
    } catch {
      return null;
    }
  },
  /** Keep a value, if that is possible; null deletes it. */
  write(name, value) {
    try {
      if (value === null) open().removeItem(name);
      else open().setItem(name, print(value));
    } catch {
      // closed, or full
    }
  },
});

export const inBrowser = shelf(() => localStorage);
export const textsInBrowser = shelf(() => localStorage, (text) => text, String);
export const inTab = shelf(() => sessionStorage);
