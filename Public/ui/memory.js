// What a page remembers, where the browser lets it: some keep nothing for some sites.

/** What was kept under a name; until the tab is closed, unless it is said where. */
export function recall(name, where = () => sessionStorage) {
  try {
    return where().getItem(name);
  } catch {
    return null;
  }
}

/** Keeps a text under a name. */
export function remember(name, text, where = () => sessionStorage) {
  try {
    where().setItem(name, text);
  } catch {
    // Then it is asked for again.
  }
}
