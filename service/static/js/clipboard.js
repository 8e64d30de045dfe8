// The clipboard, which browsers give to pages with HTTPS only.

/** Copy a text; return whether that was allowed. */
export const write = (text) =>
  Promise.resolve(navigator.clipboard?.writeText(text).then(() => true, () => false));
