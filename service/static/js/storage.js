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
  /** Keep a value; null deletes it. Return whether that was possible. */
  write(name, value) {
    try {
      if (value === null) open().removeItem(name);
      else open().setItem(name, JSON.stringify(value));
      return true;
    } catch {
      return false;
    }
  },
});

export const inBrowser = shelf(() => localStorage);
export const inTab = shelf(() => sessionStorage);
