import { prefersReducedMotion } from "./motion.js";

/** What is in motion is told by this from what a cell animates itself. */
const timing = { id: "ui-rows", duration: 320, easing: "cubic-bezier(.2, .8, .2, 1)" };

/** Shows by motion what became of the rows in sight: made before they change, and run after. */
export class RowMotion {
  #view;
  /** Where headers are, by element, and rows, by path: cells are used again for other rows. */
  #headers = new Map();
  #rows;
  #frame;

  /**
   * @param {HTMLElement} view
   * @param {{headers: HTMLElement[], cells: import("./TableViewCell.js").TableViewCell[]}} rows
   */
  constructor(view, { headers, cells }) {
    this.#view = view;
    this.#frame = view.getBoundingClientRect();
    for (const element of headers) this.#headers.set(element, top(element));
    this.#rows = cells.map((cell) => ({ path: cell._path, top: top(cell) }));
  }

  /** Fades a cell where it was, and takes it away. @param {() => void} then */
  leave(element, then) {
    const was = this.#rows.find(({ path }) => path.isEqual(element._path));
    const place = was.top - top(this.#view.contentView);
    this.#view.contentView.append(element);
    element.inert = true;
    element.style.top = `${place}px`;
    element.classList.add("ui-leaving");
    const fade = element.animate({ opacity: [1, 0] }, { ...timing, duration: 200 });
    return fade.finished.catch(() => {}).then(() => {
      element.remove();
      element.inert = false;
      element.classList.remove("ui-leaving");
      then();
    });
  }

  /** Runs the motion to where all is after a batch, to its end. */
  run(batch, { headers, cells }) {
    for (const element of [...headers, ...cells]) {
      for (const animation of element.getAnimations()) {
        if (animation.id === timing.id) animation.cancel();
      }
    }
    const running = [
      ...headers.map((header) => [header, this.#headers.get(header) - top(header)]),
      ...this.#ways(batch, cells),
    ].map(([element, way]) => (Number.isNaN(way)
      ? element.animate({ opacity: [0, 1] }, timing) : this.#slide(element, way)));
    return Promise.allSettled(running.map((animation) => animation?.finished));
  }

  /** How far each cell's row was from where it is now; NaN for a row that came. */
  #ways(batch, cells) {
    const places = new Map();
    for (const { path, top: was } of this.#rows) places.set(String(batch.path(path)), was);
    const sections = new Set(batch.arrivedSections);
    const rows = new Set(batch.arrivedRows.map(String));
    const ways = cells.map((cell) => places.get(String(cell._path)) - top(cell));
    return cells.map((cell, index) => {
      const comes = rows.has(String(cell._path)) || sections.has(cell._path.section);
      if (!Number.isNaN(ways[index]) || comes) return [cell, ways[index]];
      // What comes into sight at an edge goes along with the row beside it.
      const isKnown = (way) => !Number.isNaN(way);
      const beside = ways.slice(0, index).findLast(isKnown) ?? ways.slice(index).find(isKnown);
      return [cell, beside ?? NaN];
    });
  }

  #slide(element, way) {
    const { height } = this.#frame;
    const shown = Math.max(-height, Math.min(way, height));
    if (prefersReducedMotion() || Math.abs(shown) < 0.5) return null;
    return element.animate({ translate: [`0 ${shown}px`, "0 0"] }, timing);
  }
}

function top(element) { return element.getBoundingClientRect().top; }
