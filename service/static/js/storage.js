// What is kept in this browser, or in this tab of it, as JSON. A browser that keeps nothing is no error.

const shelf = (open) => ({
  /** Return what is kept under a name; null if that is nothing, or nonsense. */
  read(name) {
    try {
      return JSON.parse(open().getItem(name));
    } catch {
      return null;
    }
  },
  /** Keep a value, if that is possible; null deletes it. */
  write(name, value) {
    try {
      if (value === null) open().removeItem(name);
      else open().setItem(name, JSON.stringify(value));
    } catch {
      // closed, or full
    }
  },
});

export const inBrowser = shelf(() => localStorage);
export const inTab = shelf(() => sessionStorage);
