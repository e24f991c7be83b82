const defined = new WeakSet();

/** Registers a class under its `tag`, or another name where another copy of it has that one. */
export function define(type) {
  if (defined.has(type) || !Object.hasOwn(type, "tag") || !globalThis.customElements) return;
  defined.add(type);
  let name = type.tag;
  for (let copy = 2; customElements.get(name); copy += 1) name = `${type.tag}-${copy}`;
  customElements.define(name, type);
}

/** @type {typeof HTMLElement} */
const Base = globalThis.HTMLElement ?? class {};

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
    const read = { boolean: (text) => text === "true", number: Number }[typeof value] ?? String;
    Object.defineProperty(type.prototype, name, {
      get() { return this.dataset[name] === undefined ? value : read(this.dataset[name]); },
      set(next) { this.dataset[name] = next; },
    });
  }
}

/**
 * Makes an element; texts in it stay texts.
 * @param {string} name @param {Record<string, string>} [attributes]
 * @param {...(string | Node | (string | Node)[])} content @returns {HTMLElement}
 */
export function el(name, attributes = {}, ...content) {
  const made = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value);
  made.append(...content.flat());
  return made;
}
