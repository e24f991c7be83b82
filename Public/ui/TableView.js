import { IndexPath } from "./IndexPath.js";
import { prefersReducedMotion } from "./motion.js";
import { reflect } from "./reflect.js";
import { RowSelection } from "./RowSelection.js";
import { Runway } from "./Runway.js";
import { ScrollView } from "./ScrollView.js";
import { TableLayout } from "./TableLayout.js";
import { TableRows } from "./TableRows.js";

/**
 * A column of rows in sections: `<table-view>`. Only the cells in sight are there, and are used
 * again for others.
 *
 * The data source has `numberOfRows(section, table)` and `cell(indexPath, table)`, and may have
 * `numberOfSections(table)`, `titleForHeader(section, table)`, `sectionIndexTitles(table)` and
 * `sectionForSectionIndexTitle(title, index, table)`. The delegate of a scroll view may have
 * `willDisplay(cell, indexPath)`, `didSelectRow(indexPath)`, `didDeselectRow(indexPath)` and
 * `performPrimaryAction(indexPath)` besides. The prefetch data source has
 * `prefetchRows(indexPaths, table)` and `cancelPrefetchingForRows(indexPaths, table)`.
 * @property {number} rowHeight of every row in pixels; 0: each as high as its content
 * @property {number} estimatedRowHeight of rows that were not seen yet
 * @property {number} sectionHeaderHeight
 * @property {boolean} allowsSelection
 * @property {boolean} allowsMultipleSelection
 */
export class TableView extends ScrollView {
  /** @type {?object} */
  prefetchDataSource = null;
  /** @protected */
  _layout = new TableLayout(44);
  /** @protected */
  _rows = new TableRows(this);
  /** @protected */
  _selection = new RowSelection(this);
  #dataSource = null;
  #runway = new Runway();
  #top = 0;
  #isMoving = false;

  connectedCallback() {
    super.connectedCallback();
    this.role ??= "grid";
    if (this.#dataSource) this.reloadData();
  }

  /** Who says what is in the table. */
  get dataSource() { return this.#dataSource; }
  set dataSource(source) {
    this.#dataSource = source;
    this.reloadData();
  }

  get numberOfSections() { return this._layout.sections.length; }
  numberOfRows(section) { return this._layout.sections[section].rows.count; }

  /** Has a class make the cells of a kind. @param {typeof TableViewCell} type */
  register(type, identifier) { this._rows.register(type, identifier); }
  /** A cell to fill, used before if possible; an unknown kind gets a default cell. */
  dequeueReusableCell(identifier, _indexPath) { return this._rows.dequeue(identifier); }

  /** Asks the data source for everything anew. */
  reloadData() {
    for (const cell of this._rows.cells) this._rows.recycle(cell);
    for (const section of this._rows.sections.values()) section.remove();
    this._rows.cells = [];
    this._rows.sections.clear();
    this._layout = new TableLayout(this.rowHeight || this.estimatedRowHeight);
    this._layout.sections = this._counts().map((count, number) => this._section(count, number));
    this._selection.clear();
    this._contentChanged();
    this._restore();
  }

  /** @returns {IndexPath[]} */
  get indexPathsForVisibleRows() { return this.visibleCells.map(({ _path }) => _path); }
  get visibleCells() {
    const from = this.contentOffset.y;
    const to = from + this.clientHeight;
    return this._rows.cells.filter(({ _path }) => {
      const top = this._layout.rowTop(_path);
      return top < to && top + this._height(_path) > from;
    });
  }

  indexPath(cell) { return cell._path; }
  /** The cell of a row in sight or nearly so; null if there is none. */
  cellForRow(indexPath) { return this._rows.cell(indexPath); }

  rectForRow(indexPath) {
    return new DOMRect(0, this._layout.rowTop(indexPath), this.clientWidth, this._height(indexPath));
  }

  /** @param {string} position top, middle, bottom, or none: as little as shows it */
  scrollToRow(indexPath, position = "none", animated = false) {
    const { y, height } = this.rectForRow(indexPath);
    const { top, bottom } = this.adjustedContentInset;
    const header = this._layout.sections[indexPath.section].header;
    const room = this.clientHeight - top - bottom - header - height;
    const part = { top: 0, middle: 0.5, bottom: 1 }[position];
    if (part === undefined) {
      return this.scrollRectToVisible({ y: y - header, height: height + header }, animated);
    }
    this.setContentOffset({ y: y - top - header - room * part }, animated);
  }

  /** @protected */
  get _position() { return this.scrollTop + this.#runway.base; }
  set _position(position) {
    const place = Math.max(0, Math.min(position, this._maximum));
    const top = Math.round(this.#runway.rest(place));
    this.#runway.base = place - top;
    this.scrollTop = this.#top = top;
    this._layOut();
  }

  /** @protected */
  get _maximum() {
    return this.scrollHeight - this.clientHeight + this.#runway.length - this.#runway.height;
  }

  /** @protected */
  _scrollTo(position, animated) {
    const target = Math.max(0, Math.min(position, this._maximum));
    const top = target - this.#runway.base;
    const isNear = Math.abs(target - this._position) < 20_000;
    if (animated && isNear && top >= 0 && top <= this.scrollHeight - this.clientHeight) {
      super._scrollTo(top, true);
    } else {
      this._position = target;
    }
  }

  /** @protected */
  _counts() {
    const source = this.#dataSource;
    if (!source) return [];
    const count = source.numberOfSections?.(this) ?? 1;
    return Array.from({ length: count }, (_, section) => source.numberOfRows(section, this));
  }

  /** @protected */
  _section(count, number) {
    return this._layout.section(count, this._title(number) === null ? 0 : this.sectionHeaderHeight);
  }

  /** @protected */
  _title(section) { return this.#dataSource?.titleForHeader?.(section, this) ?? null; }
  /** @protected */
  _height({ section, row }) { return this._layout.sections[section].rows.height(row); }

  /** @protected */
  _makeCell(path) {
    const cell = this.#dataSource.cell(path, this);
    cell.style.height = this.rowHeight ? `${this.rowHeight}px` : "";
    this._selection.mark(cell, path);
    this.delegate?.willDisplay?.(cell, path);
    return cell;
  }

  /** @protected The part of the content whose cells are there. */
  get _frame() {
    const more = Math.min(this.clientHeight / 2, 400);
    const from = this.contentOffset.y;
    return { from: from - more, to: from + this.clientHeight + more };
  }

  /** @protected The numbers of the sections in that part. */
  _sectionsInSight() {
    const { from, to } = this._frame;
    const numbers = [];
    for (let number = this._layout.path(from)?.section ?? 0;
      number < this.numberOfSections && this._layout.top(number) < to; number += 1) {
      numbers.push(number);
    }
    return numbers;
  }

  /** @protected The number or heights of rows changed: the content is as high as they are. */
  _contentChanged() {
    this.#runway.length = this._layout.height;
    this.contentView.style.height = `${this.#runway.height}px`;
    this.ariaRowCount = this._layout.lineCount;
    this._layOut();
  }

  /** @protected Shows the cells that are in sight, each at its place. */
  _layOut() {
    if (!this.isConnected) return;
    for (let pass = 0; pass < 5; pass += 1) {
      const fresh = this._rows.show(this.#pathsInSight());
      this.#place();
      if (this.rowHeight || !this.#measure(fresh)) break;
    }
  }

  #pathsInSight() {
    const { from, to } = this._frame;
    const paths = [];
    let path = this._layout.path(from);
    while (path && this._layout.rowTop(path) < to) {
      paths.push(path);
      const next = this._layout.moved(path, 1);
      path = next.isEqual(path) ? null : next;
    }
    return paths;
  }

  /** Learns the heights of cells that are new: whether one was not as thought. */
  #measure(cells) {
    const heights = cells.map((cell) => cell.offsetHeight);
    const changed = cells.filter((cell, index) => heights[index] !== this._height(cell._path));
    if (changed.length === 0) return false;
    const eye = this._layout.path(this.contentOffset.y);
    const before = this._layout.rowTop(eye);
    cells.forEach(({ _path }, index) => {
      this._layout.sections[_path.section].rows.set(_path.row, heights[index]);
    });
    this._layout.changed();
    this.#shift(this._layout.rowTop(eye) - before);
    return true;
  }

  /** What the reader sees stays where it is while the rows above it become so much higher. */
  #shift(distance) {
    const isAtTop = this._position <= 0;
    this.#runway.length = this._layout.height;
    this.contentView.style.height = `${this.#runway.height}px`;
    if (!isAtTop) this.#runway.base += distance;
  }

  #place() {
    const { base, height } = this.#runway;
    const layout = this._layout;
    const starts = new Map();
    for (const [number, section] of this._rows.sections) {
      const top = Math.max(0, layout.top(number) - base);
      const bottom = Math.min(height, layout.bottom(number) - base);
      starts.set(number, top);
      set(section, "top", `${top}px`);
      set(section, "height", `${Math.max(0, bottom - top)}px`);
      const header = section.querySelector(":scope > .ui-header");
      if (header) set(header, "height", `${layout.sections[number].header}px`);
    }
    for (const cell of this._rows.cells) {
      const top = layout.rowTop(cell._path) - base - starts.get(cell._path.section);
      set(cell, "top", `${top}px`);
      cell.ariaRowIndex = layout.line(cell._path);
    }
  }

  /** @protected */
  _scrolled() {
    const jump = Math.abs(this.scrollTop - this.#top);
    this.#top = this.scrollTop;
    this.#isMoving = true;
    const isScaled = this.#runway.length > this.#runway.height;
    if (isScaled && jump > 5 * this.clientHeight && !this.isTracking) {
      this.#runway.base = this.#runway.place(this.#top) - this.#top;
    } else if (this.#runway.base !== 0) {
      const reach = 2 * this.clientHeight;
      const end = this.scrollHeight - this.clientHeight;
      if (this.#top < reach || this.#top > end - reach) this._position = this._position;
    }
    this._layOut();
    super._scrolled();
  }

  /** @protected */
  _scrollEnded() {
    this.#isMoving = false;
    this._position = this._position;
    super._scrollEnded();
  }

  /** @protected */
  _resized() {
    super._resized();
    this._layOut();
  }
}

/** Writes a style that is another than it was. */
function set(element, name, value) {
  if (element.style[name] !== value) element.style[name] = value;
}

reflect(TableView, {
  rowHeight: 0, estimatedRowHeight: 60, sectionHeaderHeight: 32,
  allowsSelection: true, allowsMultipleSelection: false,
});
customElements.define("table-view", TableView);
