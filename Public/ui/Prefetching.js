/** How many rows ahead are named. */
const ahead = 60;

/** Tells a table's prefetch data source which rows will soon be needed, and which no longer. */
export class Prefetching {
  #table;
  #named = new Map();
  #last = 0;
  #step = 1;

  /** @param {import("./TableView.js").TableView} table */
  constructor(table) { this.#table = table; }

  /** The rows are others now. */
  reset() { this.#named.clear(); }

  /** The table shows these rows now. */
  shown(paths) {
    const { prefetchDataSource: source, _layout: layout, _position: position } = this.#table;
    if (position !== this.#last) this.#step = position < this.#last ? -1 : 1;
    this.#last = position;
    const step = this.#step;
    if (!source || paths.length === 0) return;
    const wanted = new Map();
    let path = step > 0 ? paths.at(-1) : paths[0];
    for (let count = 0; count < ahead; count += 1) {
      const next = layout.moved(path, step);
      if (next.isEqual(path)) break;
      wanted.set(String(next), path = next);
    }
    const isShown = new Set(paths.map(String));
    const fresh = [...wanted].filter(([name]) => !this.#named.has(name));
    const gone = [...this.#named].filter(([name]) => !wanted.has(name) && !isShown.has(name));
    this.#named = wanted;
    if (fresh.length > 0) source.prefetchRows(fresh.map(([, one]) => one), this.#table);
    if (gone.length > 0) source.cancelPrefetchingForRows?.(gone.map(([, one]) => one), this.#table);
  }
}
