import { el, prefersReducedMotion } from "./page.js";

/** How long a finger rests on a row before that shows it, in milliseconds: else it may scroll. */
const delay = 80;
let count = 0;

/** Which rows of a table are selected, and which one the keyboard is at. */
export class RowSelection {
  paths = [];
  /** Where the keyboard is. */
  active = null;
  #table;
  #touched = null;
  #timer = 0;

  constructor(table) {
    this.#table = table;
    table.addEventListener("click", (event) => this.#clicked(event));
    table.addEventListener("pointerdown", (event) => this.#down(event));
    for (const name of ["pointerup", "pointercancel", "pointerleave"]) {
      table.addEventListener(name, () => this.highlight(null));
    }
    table.grid.addEventListener("focus", () => {
      if (this.active === null && table.grid.matches(":focus-visible")) {
        this.activate(this.paths[0] ?? this.#first);
      }
    });
  }

  /** Forgets rows that are no more, and follows those that moved. */
  follow(place) {
    this.#table.grid.ariaMultiSelectable = this.#table.allowsMultipleSelection ? "true" : null;
    this.paths = this.paths.flatMap((path) => place(path) ?? []);
    this.active = this.active && place(this.active);
    for (const cell of this.#table.rows.cells) this.mark(cell);
  }

  /** Has a cell show whether its row is selected, and where the keyboard is. */
  mark(cell, path = cell.indexPath) {
    const isActive = path.isEqual(this.active);
    cell.isSelected = this.#has(path);
    cell.ariaSelected = this.#table.allowsSelection ? String(cell.isSelected) : null;
    if (!isActive) return leaveRow(this.#table, cell);
    cell.dataset.active = "";
    cell.id ||= `ui-cell-${count += 1}`;
    this.#table.grid.setAttribute("aria-activedescendant", cell.id);
  }

  /** Selects the active row for the person, and says so; a selected one is so again. */
  choose() {
    if (this.#table.allowsSelection) this.#select(this.active);
    // Who heard of that may have moved the row, or taken it away.
    if (this.active) this.#table.delegate?.performPrimaryAction?.(this.active);
  }

  #select(path) {
    const { delegate, allowsMultipleSelection: isMany } = this.#table;
    if (!path) return;
    const had = this.paths;
    if (isMany && this.#has(path)) {
      this.deselect(path);
      return delegate?.didDeselectRow?.(path);
    }
    this.select(path);
    for (const one of isMany ? [] : had) if (!one.isEqual(path)) delegate?.didDeselectRow?.(one);
    delegate?.didSelectRow?.(path);
  }

  select(path) {
    const others = this.#table.allowsMultipleSelection ? this.paths : [];
    this.paths = [...others.filter((one) => !one.isEqual(path)), ...path ? [path] : []];
    this.follow((one) => one);
  }

  deselect(path) {
    if (!this.#has(path)) return;
    this.paths = this.paths.filter((one) => !one.isEqual(path));
    this.follow((one) => one);
  }

  /** Moves the keyboard to a row. */
  activate(path) {
    this.active = path;
    this.#table.grid.removeAttribute("aria-activedescendant");
    if (path) this.#table.scrollToRow(path);
    for (const cell of this.#table.rows.cells) this.mark(cell);
  }

  /** Whether a key was meant for the rows. */
  key({ key, target, altKey, ctrlKey, metaKey }) {
    const table = this.#table;
    const first = table.layout.path(0);
    if (target !== table.grid || altKey || ctrlKey || metaKey || !first) return false;
    // Headers of sections may be all that is in sight.
    const at = this.active ?? this.#first ?? table.layout.path(table.contentOffset.y);
    const page = Math.max(table.visibleCells.length - 2, 1);
    const steps = { ArrowDown: this.active ? 1 : 0, ArrowUp: -1, PageDown: page, PageUp: -page };
    if (key in steps) this.activate(table.layout.moved(at, steps[key]));
    else if (key === "Home") this.activate(first);
    else if (key === "End") this.activate(table.layout.last);
    else if (key === "Enter" || key === " ") this.choose();
    else return false;
    if (key === "Home") table.setContentOffset({ y: -table.adjustedContentInset.top });
    return true;
  }

  /** The first row that is wholly in sight. */
  get #first() {
    const paths = this.#table.indexPathsForVisibleRows;
    const { y } = this.#table.contentOffset;
    const header = this.#table.layout.sections[paths[0]?.section]?.header;
    return paths.find((path) => this.#table.rectForRow(path).y >= y + header) ?? paths[0] ?? null;
  }

  #has(path) { return this.paths.some((one) => one.isEqual(path)); }

  #clicked(event) {
    const cell = cellOf(event.target);
    const way = event.composedPath();
    if (!cell || way.slice(0, way.indexOf(cell)).some(isOperated)) return;
    // A mouse that marked words in the row did just that.
    const words = getSelection();
    if (words.type === "Range" && words.containsNode(cell, true)) return;
    this.active = cell.indexPath;
    this.follow((path) => path);
    this.choose();
  }

  #down({ target, isPrimary }) {
    const cell = cellOf(target);
    if (!cell || !isPrimary) return;
    this.#timer = setTimeout(() => this.highlight(cell),
      this.#table.delaysContentTouches ? delay : 0);
  }

  /** Has a touched cell show that it is. */
  highlight(cell) {
    clearTimeout(this.#timer);
    if (this.#touched) this.#touched.isHighlighted = false;
    if (cell) cell.isHighlighted = true;
    this.#touched = cell;
  }
}

/** The keyboard is not, or no more, at the row of a cell. */
export function leaveRow(table, cell) {
  const { grid } = table;
  delete cell.dataset.active;
  if (grid.getAttribute("aria-activedescendant") === cell.id) grid.removeAttribute("aria-activedescendant");
}

/** Whether an element of a row takes clicks itself. */
function isOperated(element) {
  // Also a control of another copy of these files.
  return element.cancelTouch !== undefined
    || element.matches?.("a, button, input, label, select, summary, textarea");
}

function cellOf(element) {
  const row = element.closest("[role=row]");
  return row?.indexPath ? row : null;
}

/** How far a finger goes to leave the actions open, in pixels. */
const open = 40;
/** The room of an action, in pixels, and the part of a row after which the first one is done. */
const [room, full] = [88, 0.6];

/** Actions beside a row, which a finger uncovers that moves it sideways. */
export class RowSwipe {
  #table;
  #touch = null;
  #cell = null;
  #strip = null;
  #actions = [];
  #isFull = false;

  constructor(table) {
    this.#table = table;
    table.classList.add("ui-swipes");
    table.addEventListener("touchstart", (event) => this.#down(event), { passive: true });
    table.addEventListener("touchmove", (event) => this.#moved(event), { passive: true });
    for (const name of ["touchend", "touchcancel"]) {
      table.addEventListener(name, ({ type }) => this.#lifted(type === "touchend"));
    }
  }

  /** Covers the actions, if there are any in sight. */
  close(isAnimated = !prefersReducedMotion()) {
    if (!this.#cell) return;
    const [cell, strip] = [this.#cell, this.#strip];
    this.#cell = this.#strip = null;
    this.#slide(cell, 0, isAnimated);
    strip.remove();
  }

  /** The same at once, where a cell is given up that has some. */
  leave(cell) {
    if (cell === this.#cell) this.close(false);
  }

  #down({ target, touches }) {
    if (this.#strip?.contains(target)) return;
    this.close();
    const cell = target.closest("[role=row]");
    this.#touch = touches.length === 1 && cell?.indexPath ? { cell, x: touches[0].clientX, way: 0 } : null;
  }

  #moved({ touches: [{ clientX }] }) {
    const touch = this.#touch;
    if (!touch) return;
    touch.way = clientX - touch.x;
    if (!this.#cell) {
      const { direction, isTaken } = this.#table.panGestureRecognizer;
      if (direction === null || touch.way === 0) return;
      if (direction === "y" || isTaken || !this.#begin(touch)) this.#touch = null;
      if (!this.#touch) return;
    }
    const isBack = touch.way * this.#side < 0;
    this.#show(isBack ? 0 : Math.abs(touch.way));
  }

  /** 1 where the actions are at the left, -1 at the right. */
  get #side() { return this.#strip.dataset.side === "left" ? 1 : -1; }

  #begin({ cell, way }) {
    const isLeading = way > 0 === (getComputedStyle(cell).direction === "ltr");
    const name = `${isLeading ? "leading" : "trailing"}SwipeActionsConfiguration`;
    const found = this.#table.delegate?.[name]?.(cell.indexPath, this.#table);
    if (!found?.actions?.length) return false;
    this.#table.endHighlight();
    this.#cell = cell;
    this.#actions = found.actions;
    this.#isFull = found.performsFirstActionWithFullSwipe ?? true;
    this.#strip = el("div", { class: "ui-swipe", "data-side": way > 0 ? "left" : "right" },
      found.actions.map((action) => this.#button(action)));
    cell.append(this.#strip);
    return true;
  }

  #button(action) {
    const made = el("button", { type: "button", "data-style": action.style ?? "normal" }, action.title ?? "");
    made.addEventListener("click", () => this.#perform(action));
    return made;
  }

  #perform(action) {
    this.close();
    action.handler?.(action);
  }

  #show(distance) {
    this.#strip.style.width = `${distance}px`;
    this.#slide(this.#cell, distance * this.#side, false);
  }

  #slide({ contentView }, distance, isAnimated) {
    const from = contentView.style.translate || "0px";
    contentView.style.translate = distance === 0 ? "" : `${distance}px`;
    if (!isAnimated) return;
    contentView.animate({ translate: [from, "0px"] }, { duration: 180, easing: "ease-out" });
  }

  #lifted(isDone) {
    const way = Math.abs(this.#touch?.way ?? 0);
    if (!this.#touch || !this.#cell) return;
    this.#touch = null;
    const isFull = this.#isFull && way > full * this.#cell.clientWidth;
    if (isDone && isFull) this.#perform(this.#actions[0]);
    else if (isDone && way > open) this.#show(room * this.#actions.length);
    else this.close();
  }
}
