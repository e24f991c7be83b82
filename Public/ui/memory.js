// What a page remembers, where the browser lets it: some keep nothing for some sites.

/** Returns the text that was saved under a name; until the tab is closed, unless it is said where. */
export function load(name, where = () => sessionStorage) {
  try {
    return where().getItem(name);
  } catch {
    return null;
  }
}

/** Saves a text under a name. */
export function save(name, text, where = () => sessionStorage) {
  try {
    where().setItem(name, text);
  } catch {
    // Then it is asked for again.
  }
}
