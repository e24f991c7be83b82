import { Prefetching } from "./Prefetching.js";
import { Runway } from "./Runway.js";
import { ScrollView } from "./ScrollView.js";
import { TableLayout } from "./TableLayout.js";
import { TableRows } from "./TableRows.js";

/** How far to look for a row that stays, in rows. */
const farthest = 1000;

/** The part of a table that scrolls: what is in sight has cells, each at its place. */
export class RowScrollView extends ScrollView {
  /** Rows do not zoom. */
  static observedAttributes = [];
  /** What has the rows, and nothing else, for screen readers. */
  _grid = document.createElement("div");
  _layout = new TableLayout(60);
  _rows = new TableRows(this);
  _prefetching = new Prefetching(this);
  #runway = new Runway();
  #top = 0;
  #isMoving = false;
  /** Where a motion is to end that code began; heights that are learned on the way move it. */
  #target = null;
  /** The row that stays in its place for the eye while heights are learned. */
  #held = null;

  constructor() {
    super();
    this._grid.className = "ui-grid";
    this._grid.role = "grid";
    this.contentView.append(this._grid);
    // What a person does ends what code began.
    for (const kind of ["wheel", "pointerdown", "touchstart", "keydown"]) {
      this.addEventListener(kind, () => { this.#target = null; }, { passive: true });
    }
  }

  focus(options) { this._grid.focus({ preventScroll: true, ...options }); }

  get ariaLabel() { return this._grid.ariaLabel; }
  set ariaLabel(label) { this._grid.ariaLabel = label; }

  get _focusable() { return this._grid; }

  get _position() { return this.scrollTop + this.#runway.base; }
  set _position(position) {
    // Whole pixels: on others words would be blurred.
    const place = Math.round(Math.max(0, Math.min(position, this._maximum)));
    const top = Math.round(this.#runway.rest(place));
    this.#runway.base = place - top;
    // Setting it would end a scroll that is under way, even to the same.
    if (this.scrollTop !== top) this.scrollTop = top;
    this.#top = top;
    this._layOut();
  }

  get _maximum() {
    return this.scrollHeight - this.clientHeight + this.#runway.length - this.#runway.height;
  }

  _scrollTo(position, animated) {
    const target = Math.max(0, Math.min(position, this._maximum));
    const top = target - this.#runway.base;
    const isNear = Math.abs(target - this._position) < 20_000;
    this.#target = null;
    if (animated && isNear && top >= 0 && top <= this.scrollHeight - this.clientHeight) {
      this.#target = target;
      super._scrollTo(top, true);
    } else {
      this._position = target;
    }
  }

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
    this.#fit();
    this._position = this._position;
  }

  /** Makes the changes of a batch. What the reader sees stays where it is. */
  _update(batch, motion, make) {
    const isAtTop = this._position <= 0 && !this.keepsPositionAtTop;
    const eye = isAtTop ? null : this.#eye(batch);
    const below = eye && this._layout.rowTop(eye) - this._position;
    batch.apply(this._layout, make);
    this._layout.sections.forEach((section, number) => {
      section.header = this._headerHeight(number);
    });
    this._rows.follow(batch, motion);
    this.#fit();
    this._hold(eye && batch.path(eye), below, () =>
      this.#remake(batch.rows.reloaded.map((path) => batch.path(path))));
  }

  /** Makes a change after which a row is so far below the position, if it can be. */
  _hold(path, below, change = () => {}) {
    const missing = () => (path ? this._layout.rowTop(path) - below - this._position : 0);
    this.#held = path;
    this.#moveBy(missing());
    change();
    // Heights are learned on the way, and with them where the content ends.
    for (let pass = 0; pass < 4 && Math.abs(missing()) > 1; pass += 1) this.#moveBy(missing());
    this.#held = null;
  }

  /** Fills the cells of rows anew, where they have one. */
  _reconfigure(paths) {
    const eye = this._position > 0 ? this._layout.path(this.contentOffset.y) : null;
    this._hold(eye, eye && this._layout.rowTop(eye) - this._position, () => this.#remake(paths));
  }

  #remake(paths) {
    const cells = paths.map((path) => this._rows.remake(path)).filter(Boolean);
    if (cells.length > 0 && !this.rowHeight && this.#measure(cells)) this.#fit();
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

  /** Scrolls without the reader's seeing it, and without stopping content that is in motion. */
  #moveBy(distance) {
    const reach = 2 * this.clientHeight;
    const isFree = this.scrollTop > reach
      && this.scrollTop < this.scrollHeight - this.clientHeight - reach;
    if (this.#isMoving && isFree) {
      this.#runway.base += distance;
      this._layOut();
    } else {
      this._position = this._position + distance;
    }
  }

  #fit() {
    this.#runway.length = this._layout.height;
    this.contentView.style.height = `${this.#runway.height}px`;
    this._grid.ariaRowCount = this._layout.lineCount;
  }

  /** Shows the cells that are in sight, each at its place. */
  _layOut() {
    if (!this.isConnected) return;
    for (let pass = 0; pass < 5; pass += 1) {
      const fresh = this._rows.show(this.#pathsInSight());
      this.#place();
      if (this.rowHeight || !this.#measure(fresh)) break;
    }
    this._prefetching.shown(this._rows.cells.map(({ _path }) => _path));
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
    const heights = cells.map((cell) => cell.offsetHeight);
    const changed = cells.filter((cell, index) => heights[index] !== this._height(cell._path));
    if (changed.length === 0) return false;
    const eye = this.#held ?? this._layout.path(this.contentOffset.y);
    const before = this._layout.rowTop(eye);
    cells.forEach(({ _path }, index) => {
      this._layout.sections[_path.section].rows.set(_path.row, heights[index]);
    });
    this._layout.changed();
    this.#fit();
    if (this._position > 0) this.#runway.base += this._layout.rowTop(eye) - before;
    return true;
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

  _scrolled() {
    const jump = Math.abs(this.scrollTop - this.#top);
    this.#top = this.scrollTop;
    this.#isMoving = true;
    const isScaled = this.#runway.length > this.#runway.height;
    if (isScaled && jump > 5 * this.clientHeight && !this.isTracking) {
      this.#runway.base = Math.round(this.#runway.place(this.#top) - this.#top);
    } else if (this.#runway.base !== 0) {
      const reach = 2 * this.clientHeight;
      const end = this.scrollHeight - this.clientHeight;
      if (this.#top < reach || this.#top > end - reach) this._position = this._position;
    }
    this._layOut();
    super._scrolled();
  }

  _scrollEnded() {
    this.#isMoving = false;
    const target = this.#target;
    this.#target = null;
    this._position = this._position;
    if (target !== null && !this.isTracking && Math.abs(target - this._position) > 1) {
      this._scrollTo(target, true);
    }
    super._scrollEnded();
  }

  _resized() {
    super._resized();
    this._widthChanged();
  }

  /** Rows may have other heights now. */
  _widthChanged() {
    if (!this.rowHeight) this.#measure(this._rows.cells);
    this._layOut();
  }
}

/** Writes a style that is another than it was. */
function set(element, name, value) {
  if (element.style[name] !== value) element.style[name] = value;
}
