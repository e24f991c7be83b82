import { Cache } from "../freshet/Cache.js";
import { load, save } from "../ui/memory.js";

/** How the databases are called in which feeds are kept that were read with a key. */
const prefix = "freshet key ";

/**
 * Uses another key, or none, and forgets what was kept with the one before.
 * @param {string} key empty for none
 * @returns {Cache} where feeds are kept from now on
 */
export function useKey(key) {
  save("freshet key", key);
  return reset();
}

/** Forgets what was kept with the key. @returns {Cache} in place of where it was */
export function reset() {
  const old = load("freshet vault");
  if (old) indexedDB.deleteDatabase(old);
  const name = load("freshet key")
    ? prefix + [...crypto.getRandomValues(new Uint32Array(3))].join("") : "";
  save("freshet vault", name);
  lock(name);
  return new Cache(name || undefined);
}

/** Forgets what tabs kept with keys that are closed now, and the keys with them. */
export async function deleteStale() {
  lock(load("freshet vault"));
  for (const { name } of await indexedDB.databases?.() ?? []) {
    if (!name.startsWith(prefix) || name === load("freshet vault")) continue;
    // The lock of a tab that is open is not to be had.
    navigator.locks?.request(name, { ifAvailable: true }, (held) => {
      if (held) indexedDB.deleteDatabase(name);
    });
  }
}

/** Says to other tabs that this one has it. */
function lock(name) {
  if (name) navigator.locks?.request(name, { mode: "shared" }, () => new Promise(() => {}));
}
