const defined = new WeakSet();

/**
 * Registers an element's class under its `tag`, once; under another name where another copy of
 * these files has that one. Where there is no page it does nothing.
 * @param {Function & {tag?: string}} type
 */
export function define(type) {
  if (defined.has(type) || !Object.hasOwn(type, "tag") || !globalThis.customElements) return;
  defined.add(type);
  let name = type.tag;
  for (let copy = 2; customElements.get(name); copy += 1) name = `${type.tag}-${copy}`;
  customElements.define(name, type);
}

/** @type {typeof HTMLElement} */
const Base = globalThis.HTMLElement ?? class {};

/** An element that is registered when the first one is made; a module that has it does nothing. */
export class UIElement extends Base {
  constructor() {
    define(new.target);
    super();
  }
}
