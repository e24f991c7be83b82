const defined = new WeakSet();

/** Registers a class under its `tag`, or another name where another copy of it has that one. */
export function define(type) {
  if (defined.has(type) || !Object.hasOwn(type, "tag") || !globalThis.customElements) return;
  defined.add(type);
  let name = type.tag;
  for (let copy = 2; customElements.get(name); copy += 1) name = `${type.tag}-${copy}`;
  customElements.define(name, type);
}

const Base = globalThis.HTMLElement ?? /** @type {any} */ (class {});

/** An element that is registered when the first one is made. */
export class UIElement extends Base {
  constructor() {
    define(new.target);
    super();
  }
}

/** Gives a class properties that its elements keep in `data-` attributes. */
export function reflect(type, initial) {
  for (const [name, value] of Object.entries(initial)) {
    const read = typeof value === "number" ? Number
      : typeof value === "boolean" ? (text) => text === "true" : String;
    Object.defineProperty(type.prototype, name, {
      get() { return this.dataset[name] === undefined ? value : read(this.dataset[name]); },
      set(next) { this.dataset[name] = next; },
    });
  }
}

/** Makes an element; texts in it stay texts. */
export function el(name, attributes = {}, ...content) {
  const made = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value);
  made.append(...content.flat());
  return made;
}

/** Returns what a node is shown in, also where that is another tree: a slot, or the host of a shadow root. */
export function around(node) {
  const { assignedSlot, parentNode, host } = /** @type {any} */ (node);
  return assignedSlot ?? parentNode ?? host;
}

let region = null;
let timer = 0;

/** Has a screen reader say something, when it has said what it is saying. */
export function announce(words) {
  if (!region?.isConnected) {
    region = document.createElement("div");
    region.className = "ui-announcement";
    region.role = "status";
    document.body.append(region);
  }
  region.textContent = "";
  clearTimeout(timer);
  // What is heard is a change of what is there already, also when the words are the same.
  timer = setTimeout(() => { region.textContent = words; }, 100);
}

// What a page remembers, where the browser lets it: some keep nothing for some sites.

/** Returns the text that was saved under a name; until the tab is closed, unless it is said where. */
export function load(name, where = () => sessionStorage) {
  try {
    return where().getItem(name);
  } catch {
    return null;
  }
}

/** Returns the value whose JSON was saved under a name; null where that is none. @returns {unknown} */
export function loadValue(name, where = () => sessionStorage) {
  try {
    return JSON.parse(load(name, where) ?? "null");
  } catch {
    return null;
  }
}

/** Saves a text under a name. Returns whether it is kept: else it is asked for again. */
export function save(name, text, where = () => sessionStorage) {
  try {
    where().setItem(name, text);
    return true;
  } catch {
    return false;
  }
}

/** Whether the reader asked for less motion. */
export function prefersReducedMotion() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}
