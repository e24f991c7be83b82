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
