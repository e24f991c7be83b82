import { TableViewCell } from "./TableViewCell.js";

/** How many cells of a kind wait out of sight to be used again, and of how many kinds. */
const spare = 24;
const kinds = 16;

/** The elements of a table: those of the rows in sight or nearly so, and of their sections. */
export class TableRows {
  /** The cells that are shown, in order. @type {TableViewCell[]} */
  cells = [];
  /** By number. @type {Map<number, HTMLElement>} */
  sections = new Map();
  /** Those of which the delegate is to be told that they will be shown. @type {TableViewCell[]} */
  told = [];
  #table;
  #kinds = new Map();
  /** The cell of the row that is reconfigured. @type {?TableViewCell} */
  #kept = null;
  #spare = new Map();

  /** @param {import("./TableView.js").TableView} table */
  constructor(table) {
    this.#table = table;
    // A picture that does not come leaves no sign of that, and rows have the height of what does.
    for (const [name, isMissing] of [["error", true], ["load", false]]) {
      table.addEventListener(name, ({ target }) => {
        if (target.matches(".ui-cell > img")) target.toggleAttribute("data-missing", isMissing);
        table._rowResized();
      }, true);
    }
  }

  register(type, kind) { this.#kinds.set(kind, type); }

  /** A cell of a kind, used before if there is one; of the default kind if it is not known. */
  dequeue(kind) {
    if (this.#kept?.reuseIdentifier === kind) return this.#kept;
    const type = this.#kinds.get(kind) ?? TableViewCell;
    const used = this.#spare.get(kind)?.pop();
    // One that was made before its kind was registered is of another class.
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
    return this.cells.find((cell) => cell._path.isEqual(path)) ?? null;
  }

  /** @returns {HTMLElement[]} */
  get headers() { return [...this.sections.values()].map(headerOf).filter(Boolean); }

  clear() {
    this.#keepFocus(this.cells.find(hasFocus));
    for (const cell of this.cells) this.recycle(cell);
    for (const section of this.sections.values()) section.remove();
    this.cells = [];
    this.sections.clear();
  }

  /** Has the cells and sections that a batch leaves stand for what they are afterwards. */
  follow(batch, motion) {
    const stay = [];
    for (const cell of this.cells) {
      const path = batch.path(cell._path);
      if (path) {
        cell._path = path;
        stay.push(cell);
      } else {
        this.#keepFocus(cell);
        if (motion) motion.leave(cell, () => this.recycle(cell));
        else this.recycle(cell);
      }
    }
    this.cells = stay.sort((one, other) => one._path.compare(other._path));
    const sections = [...this.sections].map(([number, section]) => [batch.section(number), section])
      .sort(([one], [other]) => one - other);
    for (const [, section] of sections.filter(([number]) => number === null)) section.remove();
    this.sections = new Map(sections.filter(([number]) => number !== null));
    for (const [number, section] of this.sections) {
      this.titleSection(number);
      if (batch.movesSections) this.#table._grid.append(section);
    }
  }

  /**
   * Has the data source fill a row's cell anew, which may be another one then.
   * @param {import("./IndexPath.js").IndexPath} path
   * @param {boolean} [keeps] whether it is given the same cell, not prepared for reuse
   */
  remake(path, keeps = false) {
    const index = this.cells.findIndex((cell) => cell._path.isEqual(path));
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
      if (this.#table._makeCell(path) === was) return was;
    } finally {
      this.#kept = null;
    }
    // It has become of another kind.
    this.recycle(was);
    return this.#make(path);
  }

  /** What is in a cell that goes, and has the focus, leaves it to the table. */
  #keepFocus(cell) {
    if (cell && hasFocus(cell)) this.#table.focus();
  }

  /** Gives a cell up for others. */
  recycle(cell) {
    const { reuseIdentifier: kind } = cell;
    this.#table._swipe?.leave(cell);
    cell._path = null;
    if ("active" in cell.dataset) this.#table._grid.removeAttribute("aria-activedescendant");
    delete cell.dataset.active;
    if (!this.#spare.has(kind)) this.#spare.set(kind, []);
    this.#spare.get(kind).push(cell);
  }

  /** Shows the rows of these places, in order. @returns {TableViewCell[]} those that are new */
  show(paths) {
    const shown = new Map(this.cells.map((cell) => [key(cell._path), cell]));
    const wanted = new Set(paths.map(key));
    for (const [place, cell] of shown) {
      if (wanted.has(place)) continue;
      if (hasFocus(cell)) paths = inserted(paths, cell._path);
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
    const cell = this.#table._makeCell(path);
    cell._path = path;
    this.told.push(cell);
    // One that the data source keeps itself was put away like the others.
    const waiting = this.#spare.get(cell.reuseIdentifier) ?? [];
    if (waiting.includes(cell)) waiting.splice(waiting.indexOf(cell), 1);
    return cell;
  }

  /** Puts every cell into its section, in order, and takes away what is not needed. */
  #arrange() {
    const needed = new Set(this.cells.map((cell) => cell._path.section));
    for (const number of this.#table._sectionsInSight()) needed.add(number);
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
      const section = this.sections.get(cell._path.section);
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
    this.#table._grid.insertBefore(section, after?.[1] ?? null);
  }

  /** Writes a section's header, which it may not have. */
  titleSection(number) {
    const section = this.sections.get(number);
    const title = this.#table._title(number);
    let header = headerOf(section);
    if (title === null) return header?.remove();
    if (!header) {
      header = document.createElement("div");
      header.className = "ui-header";
      header.role = "row";
      header.append(document.createElement("span"));
      header.firstChild.role = "rowheader";
      header.firstChild.dir = "auto";
      section.prepend(header);
    }
    header.firstChild.textContent = section.ariaLabel = title;
  }
}

function hasFocus(cell) { return cell.matches(":focus-within"); }

function headerOf(section) {
  return section.firstChild?.classList.contains("ui-header") ? section.firstChild : null;
}

function key({ section, row }) { return section * 2 ** 32 + row; }

function inserted(paths, path) {
  return [...paths, path].sort((one, other) => one.compare(other));
}
