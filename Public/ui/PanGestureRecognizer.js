import { prefersReducedMotion } from "./page.js";

/** From which speed on content goes on when a finger lets go, in pixels a second. */
const slowest = 80;
/** How far a finger goes before it is clear where to, in pixels; browsers hold back more at first. */
const slop = 4;
/** How long a cancelled finger is gone before others scroll by the browser, in milliseconds. */
const rest = 100;
/** How long the content takes to come back from past an end, in milliseconds. */
const settleTime = 380;
/** What else scrolls, and lets a cancelled finger be forgotten. */
const otherInputs = ["wheel", "keydown"];
const early = { capture: true, passive: true };

/**
 * What a finger does to a scroll view. The browser scrolls by it, and tells of it now and then;
 * past the ends content follows it less and less, and comes back when it lets go.
 */
export class PanGestureRecognizer {
  /** possible, began, changed, ended, cancelled or failed */
  state = "possible";
  /** Whether the content goes on without it. */
  isDecelerating = false;
  /** The direction in which content is past its end: x or y. */
  axis = "y";
  /** How far it is below or right of its place (negative: above, left), in pixels. */
  distance = 0;
  /** Whether the finger holds it there. */
  isPulling = false;
  /** How many touches there were, this one among them: fingers that are down together are one. */
  touchCount = 0;
  /** The way that a touch took first, to which it keeps: x or y; null while it took none. */
  direction = null;
  /** Whether a touch belongs to what else scrolls or pulls below the finger: that is decided once. */
  isTaken = false;
  #view;
  #fingers = new Set();
  #start = null;
  #last = null;
  /** Where the content was in the view when the finger came. */
  #offset = { x: 0, y: 0 };
  #way = null;
  /** The move that was followed last. */
  #event = null;
  #velocity = { x: 0, y: 0 };
  #isArmed = false;
  /** The scroll by code that ends a motion, and where it is to be meanwhile. */
  #halted = null;
  #isHolding = false;
  #origin = 0;
  #stop = () => {};
  #followed = (event) => this.#follow(event);
  #pulled = (event) => this.#pull(event);
  #lifted = (event) => this.#lift(event);
  /** What lets the browser scroll again once a cancelled finger is lifted. */
  #timer = 0;
  /** Lets the browser scroll again after a finger that was cancelled. */
  #free = () => {
    clearTimeout(this.#timer);
    delete this.#view.dataset.panIsCancelled;
    for (const name of otherInputs) removeEventListener(name, this.#free, early);
  };

  constructor(view) {
    this.#view = view;
    view.addEventListener("touchstart", (event) => this.#down(event), { passive: true });
  }

  get isEnabled() { return this.#view.dataset.pans !== "false"; }
  set isEnabled(isEnabled) {
    this.#view.dataset.pans = `${isEnabled}`;
    if (!isEnabled) this.cancel();
  }

  get isTracking() { return this.#fingers.size > 0; }
  get isDragging() { return this.isTracking && this.state !== "possible"; }

  /** How far the finger has gone, in pixels. */
  translation() {
    return this.#last ? { x: this.#last.x - this.#start.x, y: this.#last.y - this.#start.y }
      : { x: 0, y: 0 };
  }

  /** How fast it was when it was last heard of, in pixels a second. */
  velocity() { return { ...this.#velocity }; }

  /** The content moved: by the finger, if that did. Code moves it, too, and so does a flick before. */
  scrolled() {
    const { x, y } = this.translation();
    if (x !== 0 || y !== 0) this.begin();
  }

  /** The finger moves the content, or is to. */
  begin() {
    const { isScrollEnabled } = this.#view;
    if (!this.isTracking || this.state !== "possible" || !isScrollEnabled || !this.isEnabled) return;
    this.state = "began";
    if (this.#view.keyboardDismissMode !== "none") document.activeElement?.blur();
    this.#view.dragWillBegin();
  }

  /** Ends a drag: the content comes to rest by itself, and what its fingers do yet is ignored. */
  cancel() {
    if (!this.isDragging) return;
    this.#fingers.clear();
    this.#velocity = { x: 0, y: 0 };
    // The browser scrolls by them, too, until they are lifted.
    clearTimeout(this.#timer);
    this.#view.dataset.panIsCancelled = "";
    for (const name of otherInputs) addEventListener(name, this.#free, early);
    this.#end("cancelled");
  }

  /** Ends what a finger left in motion: the browser would go on from where code scrolls to. */
  halt(scroll) {
    const isUnderWay = this.#halted !== null;
    const isMoving = this.isDecelerating && this.distance === 0;
    if (this.#isHolding || !isUnderWay && !isMoving) return;
    this.#halted = { offset: this.#view.contentOffset, scroll };
    if (!isUnderWay) this.#holdStill();
  }

  /** Keeps the content where it is until the browser has heard of it, and scrolls then. */
  #holdStill() {
    const [view, { style }] = [this.#view, this.#view];
    const { overflow } = style;
    style.overflow = "hidden";
    let [still, count] = [0, 0];
    const step = () => {
      const { offset, scroll } = this.#halted;
      const { x, y } = view.contentOffset;
      still = Math.abs(x - offset.x) < 1 && Math.abs(y - offset.y) < 1 ? still + 1 : 0;
      const isOver = still === 3 || (count += 1) === 60 || this.isTracking;
      if (isOver) {
        style.overflow = overflow;
        this.#halted = null;
      } else {
        requestAnimationFrame(step);
      }
      if (this.isTracking) return;
      this.#isHolding = true;
      try {
        if (isOver) scroll();
        else view.setContentOffset(offset);
      } finally {
        this.#isHolding = false;
      }
    };
    requestAnimationFrame(step);
  }

  /** Listens to fingers while they could pull. */
  arm() {
    const view = this.#view;
    const isAtEnd = (axis) => view.isAtEnd(1, axis) || view.isAtEnd(-1, axis);
    const isArmed = this.isPulling || isAtEnd("y") || this.#bounces("x") && isAtEnd("x");
    if (isArmed === this.#isArmed) return;
    this.#isArmed = isArmed;
    if (isArmed) view.addEventListener("touchmove", this.#pulled, { passive: false });
    else view.removeEventListener("touchmove", this.#pulled);
  }

  /** Lets the content go: it comes back to its place, unless a finger holds it. */
  settle() {
    this.#stop();
    if (this.isPulling || this.distance === 0) return;
    const from = this.distance;
    this.#stop = decelerate(settleTime, (left) => this.#show(from * left));
  }

  /** Has content that comes back from past an end be at its place at once. */
  endSettling() {
    if (this.isPulling || this.distance === 0) return;
    this.#stop();
    this.#show(0);
  }

  /** The finger stays where it is while the content's place moves, up by `distance` from it. */
  rebase(distance) {
    if (distance === 0 && (this.axis === "x" || this.distance <= 0)) return;
    this.axis = "y";
    this.#show(distance);
    if (this.isPulling) this.#hold(this.#last);
    else this.settle();
  }

  #down(event) {
    const { touches, changedTouches } = event;
    const [target] = event.composedPath();
    if (target.closest(".ui-index-bar")) return;
    // The view would hear nothing more of a touch whose row was taken away meanwhile.
    target.addEventListener("touchmove", this.#followed, { passive: true });
    for (const name of ["touchend", "touchcancel"]) target.addEventListener(name, this.#lifted);
    // A browser may say nothing of a finger's end, such as under a dialog of its own.
    const wasTracking = this.isTracking;
    for (const { identifier } of changedTouches) this.#fingers.delete(identifier);
    this.#fingers = new Set([...touches].map(({ identifier }) => identifier)
      .filter((finger) => this.#fingers.has(finger)));
    if (touches.length === changedTouches.length) this.#free();
    if (wasTracking && !this.isTracking) {
      this.#velocity = { x: 0, y: 0 };
      this.#end("cancelled");
    }
    const isFirst = !this.isTracking;
    for (const { identifier } of changedTouches) this.#fingers.add(identifier);
    if (isFirst) {
      this.state = "possible";
      this.touchCount += 1;
      this.direction = null;
      this.isTaken = false;
      this.isDecelerating = false;
      this.#start = this.#last = this.#place(event);
      this.#velocity = { x: 0, y: 0 };
      this.#offset = this.#distance(this.#view.contentView, this.#view);
      this.markPages();
    }
    if (this.#fingers.size === 1 && this.distance !== 0) this.#hold(this.#last);
    this.arm();
  }

  #follow(event) {
    const [last, now] = [this.#last, this.#place(event)];
    if (event === this.#event || now === null) return;
    this.#event = event;
    const way = { x: now.x - last.x, y: now.y - last.y };
    if (now.finger !== last.finger) {
      // Another finger is the first now: what was gone stays gone.
      this.#start = { x: this.#start.x + way.x, y: this.#start.y + way.y };
      [way.x, way.y] = [0, 0];
    }
    this.#way = way;
    // Two fingers leave nothing in motion.
    const rate = this.#fingers.size > 1 ? 0 : 1000 / Math.max(now.time - last.time, 1);
    this.#velocity = { x: way.x * rate, y: way.y * rate };
    this.#last = now;
    if (this.state === "began") this.state = "changed";
    if (this.direction === null) this.#decide(event);
    this.markPages();
  }

  /** Has a flick end at a page beside the finger: a browser that foresees it past one would turn two. */
  markPages() {
    const { contentView, isPagingEnabled } = this.#view;
    for (const page of isPagingEnabled ? contentView.children : []) {
      page.toggleAttribute("data-far", this.isTracking && this.#isFar(page));
    }
  }

  /** Whether a page is more than its own size from where the finger has the content. */
  #isFar(page) {
    const { x, y } = this.translation();
    const [place, { width, height }] = [this.#distance(page, this.#view.contentView), page.getBoundingClientRect()];
    return Math.abs(place.x + this.#offset.x + x) > width + 1 || Math.abs(place.y + this.#offset.y + y) > height + 1;
  }

  /** How far the start of an element, by which pages are aligned, is from that of another. */
  #distance(element, other) {
    const side = getComputedStyle(this.#view).direction === "rtl" ? "right" : "left";
    const [one, two] = [element.getBoundingClientRect(), other.getBoundingClientRect()];
    return { x: one[side] - two[side], y: one.top - two.top };
  }

  /** Decides by its first way whose a touch is: of the innermost scroller that can go on along it. */
  #decide(event) {
    const { x, y } = this.translation();
    if (Math.max(Math.abs(x), Math.abs(y)) < slop) return;
    this.direction = Math.abs(y) >= Math.abs(x) ? "y" : "x";
    const way = event.composedPath();
    for (const one of way.slice(0, way.indexOf(this.#view))) {
      this.isTaken ||= one instanceof Element && canScroll(one, this.direction, this.direction === "y" ? y : x);
    }
  }

  #pull(event) {
    if (!this.isTracking) return;
    // Where the finger is on the view itself this hears of it first.
    this.#follow(event);
    if (this.#fingers.size !== 1) return this.#release();
    const [view, { x, y }] = [this.#view, this.#way];
    if (!this.isPulling) {
      const axis = this.direction;
      // A view within this one may have taken it; a control may still give it up.
      this.isTaken ||= axis !== null && event.defaultPrevented && !isControlled(event);
      if (axis === null || this.isTaken) return;
      const way = this.#way[axis];
      if (way === 0 || !view.isAtEnd(way, axis) || !this.#canPull(event, way, axis)) return;
      this.axis = axis;
      for (const one of event.composedPath()) one.cancelTouch?.();
      this.#hold({ x: this.#last.x - x, y: this.#last.y - y });
    }
    this.begin();
    const pulled = this.#last[this.axis] - this.#origin;
    if (pulled === 0 || !view.isAtEnd(pulled, this.axis)) {
      // Back at its place: from here on the browser scrolls.
      this.isPulling = false;
      this.#show(0);
      return;
    }
    if (event.cancelable) event.preventDefault();
    this.#show(rubberBand(pulled, this.#extent));
  }

  #lift({ type, target, currentTarget, touches, targetTouches, changedTouches, timeStamp }) {
    if (target !== currentTarget) return;
    const wasTracking = this.isTracking;
    for (const { identifier } of changedTouches) this.#fingers.delete(identifier);
    if (targetTouches.length === 0) {
      target.removeEventListener("touchmove", this.#followed);
      for (const name of ["touchend", "touchcancel"]) {
        target.removeEventListener(name, this.#lifted);
      }
    }
    // Else it would go on from there as after a flick.
    if (touches.length === 0 && "panIsCancelled" in this.#view.dataset) {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(this.#free, rest);
    }
    if (!wasTracking || this.isTracking) return;
    if (timeStamp - this.#last.time > 100) this.#velocity = { x: 0, y: 0 };
    this.#end(type === "touchend" ? "ended" : "cancelled");
  }

  /** Lets the content go on by itself, and tells the view of the end of a drag. @param {string} state */
  #end(state) {
    if (this.state === "possible") {
      this.state = "failed";
      this.markPages();
    } else {
      this.state = state;
      const { x, y } = this.#velocity;
      this.isDecelerating = Math.hypot(x, y) > slowest || this.distance !== 0;
      this.#view.dragDidEnd(this.isDecelerating);
    }
    this.#release();
  }

  /** Where the first of its fingers is, and when; null where the event is of others. */
  #place({ touches, timeStamp: time }) {
    const touch = [...touches].find(({ identifier }) => this.#fingers.has(identifier));
    return touch ? { finger: touch.identifier, x: touch.clientX, y: touch.clientY, time } : null;
  }

  /** Whether content goes past its ends along an axis. */
  #bounces(axis) {
    const view = this.#view;
    const always = axis === "y" ? view.alwaysBounceVertical : view.alwaysBounceHorizontal;
    return view.bounces && (always || view.maximumOffset(axis) > 0);
  }

  /** Whether this touch may move the content past its end. */
  #canPull(event, direction, axis) {
    const view = this.#view;
    const refreshes = axis === "y" && direction > 0 && view.refreshControl?.isEnabled;
    // A control that keeps the touch has said so by now.
    return !event.defaultPrevented && (refreshes || this.#bounces(axis)) && this.isEnabled
      && view.isScrollEnabled && view.canCancelContentTouches
      && (isControlled(event) || view.touchesShouldCancel(event.composedPath()[0]));
  }

  /** Shows the content so far past its end. */
  #show(distance) {
    const view = this.#view;
    this.distance = distance;
    const translate = this.axis === "y" ? `0 ${distance}px` : `${distance}px`;
    view.contentView.style.translate = distance === 0 ? "" : translate;
    view.refreshControl?.handlePull(this.axis === "y" ? Math.max(distance, 0) : 0);
    view.offsetDidChange();
    if (distance === 0 && !this.isTracking) view.handleScrollEnd();
  }

  /** A finger at a place has the content that is past its end. */
  #hold(finger) {
    this.#stop();
    this.isPulling = true;
    this.#origin = finger[this.axis] - rubberBandPull(this.distance, this.#extent);
  }

  #release() {
    if (!this.isPulling) return;
    this.isPulling = false;
    this.settle();
  }

  get #extent() {
    return this.axis === "y" ? this.#view.clientHeight : this.#view.clientWidth;
  }
}

/** Whether a control is below a finger. */
function isControlled(event) { return event.composedPath().some((one) => one.cancelTouch); }

/** Whether an element scrolls along an axis, and can go on the way that a finger moves its content. */
function canScroll(element, axis, way) {
  const { overflowX, overflowY, direction } = getComputedStyle(element);
  if (!["auto", "scroll"].includes(axis === "y" ? overflowY : overflowX)) return false;
  const room = axis === "y" ? element.scrollHeight - element.clientHeight : element.scrollWidth - element.clientWidth;
  const place = axis === "y" ? element.scrollTop : element.scrollLeft + (direction === "rtl" ? room : 0);
  return way > 0 ? place > 0 : place < room - 1;
}

/**
 * Shows a motion that becomes slower and slower by what is left of it, from 1 to 0; to those who
 * asked for less motion its end at once. Returns what stops it.
 */
export function decelerate(duration, show) {
  let start;
  let frame = 0;
  const step = (time) => {
    start ??= time;
    const part = Math.min((time - start) / duration, 1);
    if (part < 1) frame = requestAnimationFrame(step);
    show((1 - part) ** 3);
  };
  if (prefersReducedMotion()) show(0);
  else frame = requestAnimationFrame(step);
  return () => cancelAnimationFrame(frame);
}

/** How far content moves past its end for a finger that went further, in a view of an extent. */
export function rubberBand(pulled, extent) {
  return Math.sign(pulled) * extent * (1 - 1 / (Math.abs(pulled) * 0.55 / extent + 1));
}

/** How far a finger went for the content to have moved so: the inverse of `rubberBand`. */
export function rubberBandPull(distance, extent) {
  const part = Math.min(Math.abs(distance) / extent, 0.95);
  return Math.sign(distance) * extent / 0.55 * (1 / (1 - part) - 1);
}
