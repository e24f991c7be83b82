import { IndexPath } from "./IndexPath.js";
import { Prefetching } from "./Prefetching.js";
import { RowSwipe } from "./RowSwipe.js";
import { TableLayout } from "./TableLayout.js";
import { TableRows } from "./TableRows.js";
import { TallScrollView } from "./TallScrollView.js";

/** How far to look for a row that stays, in rows. */
const farthest = 1000;

/** The part of a table that scrolls: what is in sight has cells, each at its place. */
export class RowScrollView extends TallScrollView {
  /** Rows do not zoom. */
  static observedAttributes = [
    "data-index-display-mode", "data-row-height", "data-estimated-row-height",
    "data-section-header-height", "data-allows-selection", "data-allows-multiple-selection",
  ];
  /** What has the rows, and nothing else, for screen readers. */
  _grid = document.createElement("div");
  _layout = new TableLayout(60);
  _rows = new TableRows(this);
  _prefetching = new Prefetching(this);
  /** The actions beside rows, where a delegate has some. @type {?RowSwipe} */
  _swipe = null;
  #isChanging = false;
  /** The frame in which heights are learned anew. */
  #learning = 0;
  /** The row that stays in its place for the eye while heights are learned. */
  #held = null;

  constructor() {
    super();
    this._grid.className = "ui-grid";
    this._grid.role = "grid";
    this.contentView.append(this._grid);
  }

  get delegate() { return super.delegate; }
  set delegate(delegate) {
    super.delegate = delegate;
    const { leadingSwipeActionsConfiguration: one, trailingSwipeActionsConfiguration: other }
      = delegate ?? {};
    if (one || other) this._swipe ??= new RowSwipe(this);
  }

  focus(options) { this._grid.focus({ preventScroll: true, ...options }); }

  get ariaLabel() { return this._grid.ariaLabel; }
  set ariaLabel(label) { this._grid.ariaLabel = label; }

  get _focusable() { return this._grid; }

  /** The part of the content whose cells are there. */
  get _frame() {
    const more = Math.min(this.clientHeight / 2, 400);
    const from = this.contentOffset.y;
    return { from: from - more, to: from + this.clientHeight + more };
  }

  /** The numbers of the sections in that part. */
  _sectionsInSight() {
    const { from, to } = this._frame;
    const layout = this._layout;
    const numbers = [];
    let number = layout.sectionIndex(from);
    while (number < layout.sections.length && layout.top(number) < to) numbers.push(number++);
    return numbers;
  }

  /** There are other rows: the content is as high as they are. */
  _contentChanged() {
    this._goal = null;
    this.#fit();
    this._position = this._position;
  }

  /** Makes a change; whoever hears then which rows are shown may make another. */
  _change(make) {
    const isWithin = this.#isChanging;
    this.#isChanging = true;
    try {
      make();
    } finally {
      this.#isChanging = isWithin;
    }
    this.#tell();
  }

  #tell() {
    if (this.#isChanging) return;
    for (const cell of this._rows.told.splice(0)) {
      if (cell._path) this.delegate?.willDisplay?.(cell, cell._path);
    }
    this._prefetching.shown(this._rows.cells.map(({ _path }) => _path));
  }

  /** Makes the changes of a batch. What the reader sees stays where it is. */
  _update(batch, motion) {
    const isAtTop = this._position <= 0 && !this.keepsPositionAtTop;
    const eye = isAtTop ? null : this.#eye(batch);
    const below = eye && this._layout.rowTop(eye) - this._position;
    batch.apply(this._layout);
    this._goal = this._goal && batch.path(this._goal);
    this._layout.sections.forEach((section, number) => {
      section.header = this._headerHeight(number);
    });
    this._layout.changed();
    this._rows.follow(batch, motion);
    this.#fit();
    this._hold(eye && batch.path(eye), below, () => {
      this.#remake(batch.reloadedRows);
      this.#remake(batch.reconfiguredRows, true);
    });
  }

  /** Makes a change after which a row is so far below the position, if it can be. */
  _hold(path, below, change = () => {}) {
    const missing = () => (path ? this._layout.rowTop(path) - below - this._position : 0);
    this.#held = path;
    this._moveBy(missing());
    change();
    // Heights are learned on the way, and with them where the content ends.
    for (let pass = 0; pass < 4 && Math.abs(missing()) > 1; pass += 1) this._moveBy(missing());
    this.#held = null;
  }

  /** Has the cells of rows filled anew, where they have one; they stay the same. */
  _reconfigure(paths) {
    const eye = this._position > 0 ? this._layout.path(this.contentOffset.y) : null;
    this._hold(eye, eye && this._layout.rowTop(eye) - this._position, () => this.#remake(paths, true));
  }

  #remake(paths, keeps = false) {
    if (paths.length === 0 && keeps) return;
    this.#measure(paths.map((path) => this._rows.remake(path, keeps)).filter(Boolean));
    this._layOut();
  }

  /** The first row in sight that stays where it is, or that stays, or the nearest that does. */
  #eye(batch) {
    const { y } = this.contentOffset;
    const stays = (path) => batch.path(path) !== null;
    const seen = this._rows.cells.map(({ _path }) => _path)
      .filter((path) => this._isVisible(path) && stays(path));
    if (seen.length > 0) return seen.find((path) => !batch.isMoved(path)) ?? seen[0];
    for (const step of [1, -1]) {
      let path = this._layout.path(y);
      for (let count = 0; path && count < farthest; count += 1) {
        if (stays(path)) return path;
        path = this._layout.moved(path, step);
      }
    }
    return null;
  }

  #fit() {
    this._length = this._layout.height;
    this._grid.ariaRowCount = this._layout.lineCount;
  }

  /** Shows the cells that are in sight, each at its place. */
  _layOut() {
    if (!this.checkVisibility()) return;
    for (let pass = 0; pass < 5; pass += 1) {
      const fresh = this._rows.show(this.#pathsInSight());
      this.#place();
      if (!this.#measure(fresh)) break;
    }
    this.#tell();
  }

  /** A row's rectangle in the content; an empty one where there is no such row. */
  rectForRow(path) {
    if (!this._layout.has(path)) return new DOMRect();
    return new DOMRect(0, this._layout.rowTop(path), this.clientWidth, this._height(path));
  }

  /** @param {string} position top, middle, bottom; none: no further than shows the row */
  scrollToRow(path, position = "none", animated = false) {
    const aim = this._check(path);
    const { top, bottom } = this.adjustedContentInset;
    const { header } = this._layout.sections[aim.section];
    const part = { top: 0, middle: 0.5, bottom: 1 }[position];
    const go = (to, isAnimated) => {
      const { y, height } = this.rectForRow(to);
      const room = this.clientHeight - top - bottom - header - height;
      if (part !== undefined) {
        this.setContentOffset({ y: y - top - header - room * part }, isAnimated);
      } else {
        this.scrollRectToVisible({ y: y - header, height: height + header }, isAnimated);
      }
    };
    this._aim(aim, go, animated);
  }

  /** @throws {RangeError} where there is no such row */
  _check(path) {
    const place = IndexPath.from(path);
    if (!this._layout.has(place)) throw new RangeError(`There is no ${place}.`);
    return place;
  }

  _height({ section, row }) { return this._layout.sections[section].rows.height(row); }

  /** Whether a row is in sight, if only in part. */
  _isVisible(path, y = this.contentOffset.y) {
    const above = this._layout.rowTop(path) - y;
    return above < this.clientHeight && above + this._height(path) > 0;
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
    if (this.rowHeight || !this.checkVisibility()) return false;
    const heights = cells.map((cell) => cell.offsetHeight);
    const changed = cells.filter((cell, index) => heights[index] !== this._height(cell._path));
    if (changed.length === 0) return false;
    const eye = this.#held ?? this._layout.path(this.contentOffset.y);
    const before = this._layout.rowTop(eye);
    cells.forEach(({ _path }, index) => {
      this._layout.sections[_path.section].rows.set(_path.row, heights[index]);
    });
    for (const section of new Set(cells.map(({ _path }) => _path.section))) {
      this._layout.resized(section);
    }
    this.#fit();
    if (this._position > 0) this._mapping.base += this._layout.rowTop(eye) - before;
    return true;
  }

  #place() {
    const { _mapping: { base, height }, _layout: layout } = this;
    const starts = new Map();
    for (const [number, section] of this._rows.sections) {
      const top = Math.max(0, layout.top(number) - base);
      const bottom = Math.min(height, layout.bottom(number) - base);
      starts.set(number, top);
      set(section, "top", `${top}px`);
      set(section, "height", `${Math.max(0, bottom - top)}px`);
      const header = section.querySelector(":scope > .ui-header");
      if (!header) continue;
      set(header, "height", `${layout.sections[number].header}px`);
      header.ariaRowIndex = layout.firstLine(number);
    }
    for (const cell of this._rows.cells) {
      const top = layout.rowTop(cell._path) - base - starts.get(cell._path.section);
      set(cell, "top", `${top}px`);
      cell.ariaRowIndex = layout.line(cell._path);
    }
  }

  _resized() {
    super._resized();
    this._widthChanged();
  }

  /** What is in a row has another size, once all heard of it: for all of a frame at once. */
  _rowResized() {
    if (this.rowHeight) return;
    cancelAnimationFrame(this.#learning);
    this.#learning = requestAnimationFrame(() => this._change(() => this._widthChanged()));
  }

  /** Rows may have other heights now. */
  _widthChanged() {
    this.#measure(this._rows.cells);
    this._layOut();
  }
}

/** Writes a style that is another than it was. */
function set(element, name, value) {
  if (element.style[name] !== value) element.style[name] = value;
}
