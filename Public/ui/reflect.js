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
