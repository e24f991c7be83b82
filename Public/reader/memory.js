// What the page remembers, where the browser lets it: some keep nothing for some sites.

/**
 * What was kept under a name.
 * @param {string} name
 * @param {() => Storage} [where]
 * @returns {?string}
 */
export function recall(name, where = () => localStorage) {
  try {
    return where().getItem(`freshet ${name}`);
  } catch {
    return null;
  }
}

/** Keeps a text under a name. */
export function remember(name, text, where = () => localStorage) {
  try {
    where().setItem(`freshet ${name}`, text);
  } catch {
    // Then it is asked for again.
  }
}
