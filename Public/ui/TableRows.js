import { el, prefersReducedMotion } from "./page.js";
import { leaveRow } from "./RowSelection.js";
import { TableViewCell } from "./TableViewCell.js";

/** The most unused cells of a kind that wait to be used again, and the most kinds of such cells. */
const spare = 24;
const kinds = 16;

/** The elements of a table: those of the rows in sight or nearly so, and of their sections. */
export class TableRows {
  /** The cells that are shown, in order. */
  cells = [];
  /** The elements of the sections that are shown, by the sections' numbers. */
  sections = new Map();
  /** The cells of which the delegate must still be told that they will be shown. */
  told = [];
  #table;
  #kinds = new Map();
  /** The cell of the row that is reconfigured. */
  #kept = null;
  #spare = new Map();
  /** Observes rows, which may grow or shrink by themselves. */
  #sizes;

  constructor(table) {
    this.#table = table;
    this.#sizes = new ResizeObserver((entries) => {
      // A cell on its way out has the place of a row that is no more.
      const isOther = (cell) => cell.offsetHeight > 0 && this.cells.includes(cell)
        && table.layout.has(cell.indexPath) && cell.offsetHeight !== table.heightForRow(cell.indexPath);
      if (entries.some(({ target }) => isOther(target))) table.handleRowResize();
    });
    // An image that failed to load has no state that CSS could select, so it gets an attribute.
    for (const name of ["error", "load"]) {
      table.addEventListener(name, ({ target }) => {
        if (!(target instanceof Element) || !target.matches(".ui-cell > img")) return;
        target.toggleAttribute("data-missing", name === "error");
      }, true);
    }
  }

  register(type, kind) { this.#kinds.set(kind, type); }

  /** Returns an unused cell of a kind, or makes one; a kind that is not registered gets the default class. */
  dequeue(kind) {
    if (this.#kept?.reuseIdentifier === kind) return this.#kept;
    const type = this.#kinds.get(kind) ?? TableViewCell;
    const used = this.#spare.get(kind)?.pop();
    // A cell that was made before its kind was registered is of another class.
    if (used?.constructor === type) {
      used.prepareForReuse();
      return used;
    }
    used?.remove();
    const cell = new type();
    cell.reuseIdentifier = kind;
    return cell;
  }

  cell(path) {
    return this.cells.find((cell) => cell.indexPath.isEqual(path)) ?? null;
  }

  get headers() { return [...this.sections.values()].flatMap((one) => headerOf(one) ?? []); }

  clear() {
    this.#keepFocus(this.cells.find(hasFocus));
    for (const cell of this.cells) this.recycle(cell);
    for (const section of this.sections.values()) section.remove();
    this.cells = [];
    this.sections.clear();
  }

  /** Gives the cells and sections their places after a batch, and takes away the removed ones. */
  follow(batch, motion) {
    const stay = [];
    for (const cell of this.cells) {
      const path = batch.path(cell.indexPath);
      if (path) {
        cell.indexPath = path;
        stay.push(cell);
      } else {
        this.#keepFocus(cell);
        leaveRow(this.#table, cell);
        if (motion) motion.leave(cell, () => this.recycle(cell));
        else this.recycle(cell);
      }
    }
    this.cells = stay.sort((one, other) => one.indexPath.compare(other.indexPath));
    const sections = [...this.sections].map(([number, section]) => [batch.section(number), section]);
    sections.sort(([one], [other]) => one - other);
    for (const [, section] of sections.filter(([number]) => number === null)) section.remove();
    this.sections = new Map(sections.filter(([number]) => number !== null));
    for (const [number, section] of this.sections) {
      this.titleSection(number);
      if (batch.movesSections) this.#table.grid.append(section);
    }
  }

  /** Has the data source make a row's cell again; with `keeps`, fill the same cell. */
  remake(path, keeps = false) {
    const index = this.cells.findIndex((cell) => cell.indexPath.isEqual(path));
    if (index < 0) return null;
    const was = this.cells[index];
    const hadFocus = hasFocus(was);
    if (!keeps) this.recycle(was);
    const cell = keeps ? this.#refill(was, path) : this.#make(path);
    if (cell !== was) was.replaceWith(cell);
    if (hadFocus && !hasFocus(cell)) this.#table.focus();
    this.cells[index] = cell;
    return cell;
  }

  #refill(was, path) {
    this.#kept = was;
    try {
      if (this.#table.makeCell(path) === was) return was;
    } finally {
      this.#kept = null;
    }
    // The data source returned a cell of another kind.
    this.recycle(was);
    return this.#make(path);
  }

  /** Moves the focus from a cell that goes to the table. */
  #keepFocus(cell) {
    if (cell && hasFocus(cell)) this.#table.focus();
  }

  /** Keeps a cell that is no longer shown, to be used for other rows. */
  recycle(cell) {
    const { reuseIdentifier: kind } = cell;
    this.#table.swipe?.leave(cell);
    this.#sizes.unobserve(cell);
    cell.indexPath = null;
    leaveRow(this.#table, cell);
    if (!this.#spare.has(kind)) this.#spare.set(kind, []);
    this.#spare.get(kind).push(cell);
  }

  /** Shows the rows at these paths, in order, and returns the cells that are new. */
  show(paths) {
    const shown = new Map(this.cells.map((cell) => [key(cell.indexPath), cell]));
    const wanted = new Set(paths.map(key));
    for (const [place, cell] of shown) {
      if (wanted.has(place)) continue;
      if (hasFocus(cell)) paths = inserted(paths, cell.indexPath);
      else this.recycle(cell);
    }
    const fresh = [];
    this.cells = paths.map((path) => {
      const was = shown.get(key(path));
      if (was) return was;
      const cell = this.#make(path);
      fresh.push(cell);
      return cell;
    });
    this.#arrange();
    return fresh;
  }

  #make(path) {
    const cell = this.#table.makeCell(path);
    cell.indexPath = path;
    this.#sizes.observe(cell);
    this.told.push(cell);
    // The data source may return a cell that it kept itself, and that waits here, too.
    const waiting = this.#spare.get(cell.reuseIdentifier) ?? [];
    if (waiting.includes(cell)) waiting.splice(waiting.indexOf(cell), 1);
    return cell;
  }

  /** Puts every cell into its section, in order, and takes away what is not needed. */
  #arrange() {
    const needed = new Set(this.cells.map((cell) => cell.indexPath.section));
    for (const number of this.#table.sectionsInSight()) needed.add(number);
    for (const [number, section] of this.sections) {
      if (needed.has(number)) continue;
      section.remove();
      this.sections.delete(number);
    }
    for (const number of needed) if (!this.sections.has(number)) this.#addSection(number);
    for (const [kind, cells] of this.#spare) {
      for (const cell of cells) cell.remove();
      cells.splice(spare);
      if (cells.length === 0 || this.#spare.size > kinds) this.#spare.delete(kind);
    }
    let next = null;
    for (const cell of [...this.cells].reverse()) {
      const section = this.sections.get(cell.indexPath.section);
      if (next?.parentNode !== section) next = null;
      if (cell.parentNode !== section || cell.nextSibling !== next) {
        if (cell.isConnected && section.moveBefore) section.moveBefore(cell, next);
        else section.insertBefore(cell, next);
      }
      next = cell;
    }
  }

  #addSection(number) {
    const section = document.createElement("div");
    section.className = "ui-section";
    section.role = "rowgroup";
    this.sections.set(number, section);
    this.titleSection(number);
    const after = [...this.sections].filter(([other]) => other > number)
      .sort(([one], [other]) => one - other)[0];
    this.#table.grid.insertBefore(section, after?.[1] ?? null);
  }

  /** Writes a section's header, which it may not have. */
  titleSection(number) {
    const section = this.sections.get(number);
    const title = this.#table.sectionTitle(number);
    let header = headerOf(section);
    if (title === null) return header?.remove();
    if (!header) {
      header = el("div", { class: "ui-header", role: "row" }, el("span", { role: "rowheader", dir: "auto" }));
      section.prepend(header);
    }
    header.firstChild.textContent = section.ariaLabel = title;
  }
}

function hasFocus(cell) { return cell.matches(":focus-within"); }

function headerOf(section) {
  const first = section.firstElementChild;
  return first?.classList.contains("ui-header") ? first : null;
}

function key({ section, row }) { return section * 2 ** 32 + row; }

function inserted(paths, path) {
  return [...paths, path].sort((one, other) => one.compare(other));
}

/** The timing of moving rows; the id tells these animations from a cell's own. */
const timing = { id: "ui-rows", duration: 320, easing: "cubic-bezier(.2, .8, .2, 1)" };
/** The time in which a removed row fades, in milliseconds. */
const leaving = 120;

/** Animates the rows in sight from their places before a change, when it is made, to those after it. */
export class RowMotion {
  #view;
  /** The places of headers by element, and of rows by path, since cells are used again for other rows. */
  #headers = new Map();
  #rows;
  #frame;

  constructor(view, { headers, cells }) {
    this.#view = view;
    this.#frame = view.getBoundingClientRect();
    for (const element of headers) this.#headers.set(element, top(element));
    this.#rows = cells.map((cell) => ({ path: cell.indexPath, top: top(cell) }));
  }

  /** Fades a cell where it was, below the others, and takes it away. */
  leave(element, then) {
    const was = this.#rows.find(({ path }) => path.isEqual(element.indexPath));
    const place = was.top - top(this.#view.contentView);
    this.#view.contentView.prepend(element);
    element.inert = true;
    element.style.top = `${place}px`;
    element.classList.add("ui-leaving");
    const fade = element.animate({ opacity: [1, 0] }, { ...timing, duration: leaving });
    return fade.finished.catch(() => {}).then(() => {
      element.remove();
      element.inert = false;
      element.classList.remove("ui-leaving");
      then();
    });
  }

  /** Moves everything to its place after a batch; resolves when the motion has ended. */
  run(batch, { headers, cells }) {
    for (const element of [...headers, ...cells]) {
      for (const animation of element.getAnimations()) {
        if (animation.id === timing.id) animation.cancel();
      }
    }
    const moved = new Set(this.#rows.filter(({ path }) => batch.path(path) && batch.isMoved(path))
      .map(({ path }) => String(batch.path(path))));
    const ways = headers.map((header) => [header, this.#headers.get(header) - top(header)]);
    ways.push(...this.#ways(batch, cells));
    const running = ways.map(([element, way]) => (Number.isNaN(way) ? element.animate({ opacity: [0, 1] }, timing)
      : this.#slide(element, way, moved.has(String(element.indexPath)))));
    return Promise.allSettled(running.map((animation) => animation?.finished));
  }

  /** Returns how far each cell's row was from where it is now; NaN for a row that was inserted. */
  #ways(batch, cells) {
    const places = new Map();
    for (const { path, top: was } of this.#rows) places.set(String(batch.path(path)), was);
    const sections = new Set(batch.arrivedSections);
    const rows = new Set(batch.arrivedRows.map(String));
    const ways = cells.map((cell) => places.get(String(cell.indexPath)) - top(cell));
    return cells.map((cell, index) => {
      const comes = rows.has(String(cell.indexPath)) || sections.has(cell.indexPath.section);
      if (!Number.isNaN(ways[index]) || comes) return [cell, ways[index]];
      // A row that comes into sight at an edge moves with the row beside it.
      const isKnown = (way) => !Number.isNaN(way);
      const beside = ways.slice(0, index).findLast(isKnown) ?? ways.slice(index).find(isKnown);
      return [cell, beside ?? NaN];
    });
  }

  /** Slides an element to its place; a row that was moved passes over the rows that make room. */
  #slide(element, way, isOver) {
    const { height } = this.#frame;
    const shown = Math.max(-height, Math.min(way, height));
    if (prefersReducedMotion() || Math.abs(shown) < 0.5) return null;
    const order = isOver ? { zIndex: [1, 1] } : {};
    return element.animate({ translate: [`0 ${shown}px`, "0 0"], ...order }, timing);
  }
}

function top(element) { return element.getBoundingClientRect().top; }
