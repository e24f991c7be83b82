import { prefersReducedMotion } from "./motion.js";

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

  /** @param {import("./TableView.js").TableView} table whose delegate has actions */
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
    const { actions = [], performsFirstActionWithFullSwipe: isFull = true }
      = this.#table.delegate?.[name]?.(cell.indexPath, this.#table) ?? {};
    if (actions.length === 0) return false;
    this.#table.endHighlight();
    this.#cell = cell;
    this.#actions = actions;
    this.#isFull = isFull;
    this.#strip = document.createElement("div");
    this.#strip.className = "ui-swipe";
    this.#strip.dataset.side = way > 0 ? "left" : "right";
    this.#strip.append(...actions.map((action) => this.#button(action)));
    cell.append(this.#strip);
    return true;
  }

  #button(action) {
    const made = document.createElement("button");
    made.type = "button";
    made.textContent = action.title;
    made.dataset.style = action.style ?? "normal";
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
