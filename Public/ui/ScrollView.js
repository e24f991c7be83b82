import { recall, remember } from "./memory.js";
import { prefersReducedMotion } from "./motion.js";
import { PanGestureRecognizer } from "./PanGestureRecognizer.js";
import { reflect } from "./reflect.js";

/** Without word of a scroll's end, it is over after so many milliseconds without one. */
const pause = 150;

/**
 * A view over content larger than itself, which the browser scrolls: `<scroll-view>`. What is in it
 * becomes part of its `contentView`. Its properties and those of its delegate: docs/UI.md.
 */
export class ScrollView extends HTMLElement {
  static observedAttributes = ["data-minimum-zoom-scale", "data-maximum-zoom-scale"];
  /** What the content is in. */
  contentView = document.createElement("div");
  panGestureRecognizer = new PanGestureRecognizer(this);
  #delegate = null;
  /** What zooms, and what comes of fetching the code of it. */
  #zooming = null;
  #zoomable = null;
  #refreshControl = null;
  #inset = { top: 0, left: 0, bottom: 0, right: 0 };
  #adjusted = this.#inset;
  #bars = { top: 0, left: 0, bottom: 0, right: 0 };
  #timer = 0;
  #isGoingToTop = false;
  #sizes = new ResizeObserver(() => this._resized());
  #isRestored = false;
  #save = () => {
    const name = this.restorationIdentifier;
    if (!name || !this.#isRestored) return;
    remember(`ui ${name}`, JSON.stringify(this.encodeRestorableState()));
  };

  constructor() {
    super();
    this.contentView.className = "ui-content";
    this.addEventListener("scroll", () => this._scrolled(), { passive: true });
    this.addEventListener("scrollend", () => this._scrollEnded());
    this.addEventListener("keydown", (event) => this._keyDown(event));
  }

  connectedCallback() {
    this.classList.add("ui-scroll");
    if (this.contentView.parentNode !== this) {
      this.contentView.append(...this.childNodes);
      this.append(this.contentView);
    }
    if (!this._focusable.hasAttribute("tabindex")) this._focusable.tabIndex = 0;
    this.#sizes.observe(this);
    this.#sizes.observe(this.contentView);
    addEventListener("pagehide", this.#save);
    this._restore();
  }

  disconnectedCallback() {
    // Where it is was kept when it came to rest: it is nowhere now.
    this.#isRestored = false;
    removeEventListener("pagehide", this.#save);
    this.#sizes.disconnect();
  }

  attributeChangedCallback() {
    this.#zooming?.arm();
    if (this.#zoomable || this.minimumZoomScale === this.maximumZoomScale) return;
    this.#zoomable = import("./Zooming.js").then(({ Zooming }) => {
      this.#zooming = new Zooming(this);
    });
  }

  /** @returns {?object} */
  get delegate() { return this.#delegate; }
  set delegate(delegate) {
    this.#delegate = delegate;
    this.#zooming?.arm();
  }

  /** The size of the content, which gives the ends. */
  get contentSize() {
    return { width: this.contentView.scrollWidth, height: this.contentView.offsetHeight };
  }

  set contentSize({ width, height }) {
    Object.assign(this.contentView.style, { minWidth: `${width}px`, height: `${height}px` });
  }

  /** The point of the content at the view's upper left corner: at an inset of 50, (0, -50). */
  get contentOffset() {
    const { top, left } = this.adjustedContentInset;
    const { axis, distance } = this.panGestureRecognizer;
    const offset = { x: this.scrollLeft - left + this.#mirrored, y: this._position - top };
    offset[axis] -= distance;
    return offset;
  }

  set contentOffset(offset) { this.setContentOffset(offset); }

  /** Moves the content, no further than its ends. @param {{x?: number, y?: number}} offset */
  setContentOffset({ x, y }, animated = false) {
    const { top, left } = this.adjustedContentInset;
    if (x !== undefined) this.scrollLeft = x + left - this.#mirrored;
    if (y !== undefined) this._scrollTo(y + top, animated && !prefersReducedMotion());
  }

  /** Room around the content, in pixels. Changing it leaves the content where it is. */
  get contentInset() { return { ...this.#inset }; }
  set contentInset(inset) {
    const { y } = this.contentOffset;
    this.#setSides("inset", this.#inset, inset);
    this.#checkInset();
    const position = y + this.adjustedContentInset.top;
    this._position = Math.max(position, 0);
    this.panGestureRecognizer.rebase(Math.max(-position, 0));
  }

  /** The inset, and what the safe area of the display adds. */
  get adjustedContentInset() {
    const style = getComputedStyle(this);
    const [top, left, bottom, right] = ["Top", "Left", "Bottom", "Right"]
      .map((side) => parseFloat(style[`padding${side}`]) || 0);
    return { top, left, bottom, right };
  }

  /** Room at the ends of the bars, where the browser lets a page say so. */
  get verticalScrollIndicatorInsets() { return { ...this.#bars }; }
  set verticalScrollIndicatorInsets(insets) { this.#setSides("bar", this.#bars, insets); }
  get horizontalScrollIndicatorInsets() { return { ...this.#bars }; }
  set horizontalScrollIndicatorInsets(insets) { this.#setSides("bar", this.#bars, insets); }

  /** For a subclass: the inset or the safe area changed. */
  adjustedContentInsetDidChange() {}

  /** Where the view is in the window. */
  get frameLayoutGuide() { return this.getBoundingClientRect(); }
  /** Where the content is in the window. */
  get contentLayoutGuide() { return this.contentView.getBoundingClientRect(); }

  /** @returns {?import("./RefreshControl.js").RefreshControl} */
  get refreshControl() { return this.#refreshControl; }
  set refreshControl(control) {
    this.#refreshControl?.remove();
    this.#refreshControl = control;
    if (control) this.contentView.prepend(control);
  }

  /** Whether a finger is down. */
  get isTracking() { return this.panGestureRecognizer.isTracking; }
  /** Whether it moves the content. */
  get isDragging() { return this.panGestureRecognizer.isDragging; }
  /** Whether the content goes on without it. */
  get isDecelerating() { return this.panGestureRecognizer.isDecelerating; }

  /** For a subclass: whether a touch may begin a pull. */
  touchesShouldBegin(_event) { return true; }
  /** Whether a pull may take a touch from an element: not from what a finger moves itself. */
  touchesShouldCancel(element) { return !element.closest("input, select, textarea, index-bar"); }

  /** How much larger the delegate's view for zooming is shown. */
  get zoomScale() { return this.#zooming?.scale ?? 1; }
  set zoomScale(scale) { this.setZoomScale(scale); }
  setZoomScale(scale, animated = false) {
    this.#zoom(() => this.#zooming.setScale(scale, animated));
  }

  /** Has a part of that view fill this one. @param {DOMRect} rect in that view's terms */
  zoom(rect, animated = false) { this.#zoom(() => this.#zooming.show(rect, animated)); }
  /** Whether fingers make it larger or smaller. */
  get isZooming() { return this.pinchGestureRecognizer?.isZooming ?? false; }
  /** Whether it comes back from past a limit. */
  get isZoomBouncing() { return this.#zooming?.isBouncing ?? false; }
  get pinchGestureRecognizer() { return this.#zooming?.pinch ?? null; }

  /** Moves as little as shows a part of the content. @param {{y: number, height: number}} rect */
  scrollRectToVisible({ y, height }, animated = false) {
    const { top, bottom } = this.adjustedContentInset;
    const offset = this.contentOffset.y;
    const end = y + height - this.clientHeight + bottom;
    if (y < offset + top) this.setContentOffset({ y: y - top }, animated);
    else if (end > offset) this.setContentOffset({ y: Math.min(end, y - top) }, animated);
  }

  /** What to keep of where it is; a subclass knows more. */
  encodeRestorableState() {
    return { x: this.scrollLeft, y: this._position, scale: this.zoomScale };
  }

  /** Goes back to where it was: whether the content is there for it. */
  decodeRestorableState({ x = 0, y, scale = 1 }) {
    if (scale !== this.zoomScale) this.setZoomScale(scale);
    this.scrollLeft = x;
    this._position = y;
    return scale === this.zoomScale && this._position >= y - 1;
  }

  /** What the keyboard gets to. @returns {HTMLElement} */
  get _focusable() { return this; }
  /** How far the content's start is above the view's, without a pull. */
  get _position() { return this.scrollTop; }
  set _position(position) { this.scrollTop = position; }
  get _maximum() { return this.scrollHeight - this.clientHeight; }
  _scrollTo(top, animated) { this.scrollTo({ top, behavior: animated ? "smooth" : "instant" }); }

  _end(axis) { return axis === "y" ? this._maximum : this.scrollWidth - this.clientWidth; }

  /** Whether content that a finger moves down or right (above 0), or up or left, is at its end. */
  _isAtEnd(direction, axis = "y") {
    const position = axis === "y" ? this._position : this.scrollLeft + this.#mirrored;
    return direction > 0 ? position <= 0 : position >= this._end(axis) - 1;
  }

  _scrolled() {
    this.panGestureRecognizer.arm();
    this.panGestureRecognizer.begin();
    this._didScroll();
    if ("onscrollend" in window) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this._scrollEnded(), pause);
  }

  _didScroll() { this.delegate?.didScroll?.(this); }
  _willBeginDragging() {
    this.#isRestored = true;
    this.delegate?.willBeginDragging?.(this);
  }

  _willBeginZooming(element) {
    this.#isRestored = true;
    this.delegate?.willBeginZooming?.(this, element);
  }

  _didEndDragging(willDecelerate) { this.delegate?.didEndDragging?.(this, willDecelerate); }

  _scrollEnded() {
    if (this.isTracking) return;
    if (this.isDecelerating) {
      this.panGestureRecognizer.isDecelerating = false;
      this.delegate?.didEndDecelerating?.(this);
    }
    if (this.#isGoingToTop && this._position <= 0) this.delegate?.didScrollToTop?.(this);
    this.#isGoingToTop = false;
    this.#save();
  }

  _resized() {
    this.#checkInset();
    this.panGestureRecognizer.arm();
    this._restore();
  }

  _keyDown({ key, target }) {
    if (target === this._focusable && key === "Home") this.#isGoingToTop = this.scrollsToTop;
  }

  /** Goes to where it was when the page went away, once there is such a place. */
  _restore() {
    if (this.#isRestored || !this.restorationIdentifier) return;
    const kept = recall(`ui ${this.restorationIdentifier}`);
    this.#isRestored = !kept || this.decodeRestorableState(JSON.parse(kept));
  }

  /** What to add to a position from the right, as browsers have it, to have it from the left. */
  get #mirrored() {
    return getComputedStyle(this).direction === "rtl" ? this.scrollWidth - this.clientWidth : 0;
  }

  /** Does what is asked of what zooms, once its code is here; of what does not zoom, nothing. */
  #zoom(act) {
    if (this.#zooming) act();
    else this.#zoomable?.then(act);
  }

  #setSides(name, kept, sides) {
    for (const [side, size] of Object.entries(Object.assign(kept, sides))) {
      this.style.setProperty(`--${name}-${side}`, `${size}px`);
    }
    this.dataset[name] = "";
  }

  #checkInset() {
    const inset = this.adjustedContentInset;
    if (Object.keys(inset).every((side) => inset[side] === this.#adjusted[side])) return;
    this.#adjusted = inset;
    this.adjustedContentInsetDidChange();
    this.delegate?.didChangeAdjustedContentInset?.(this);
  }
}

reflect(ScrollView, {
  isScrollEnabled: true, isPagingEnabled: false, bounces: true,
  alwaysBounceVertical: false, alwaysBounceHorizontal: false,
  scrollsToTop: true, showsVerticalScrollIndicator: true, showsHorizontalScrollIndicator: true,
  indicatorStyle: "default", contentInsetAdjustmentBehavior: "automatic",
  keyboardDismissMode: "none", canCancelContentTouches: true, delaysContentTouches: true,
  indexDisplayMode: "automatic", restorationIdentifier: "",
  minimumZoomScale: 1, maximumZoomScale: 1, bouncesZoom: true,
});
customElements.define("scroll-view", ScrollView);
