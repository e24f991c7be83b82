import { around, loadValue, prefersReducedMotion, reflect, save, UIElement } from "./page.js";
import { PanGestureRecognizer } from "./PanGestureRecognizer.js";

const noInset = { top: 0, left: 0, bottom: 0, right: 0 };
/** Without word of a scroll's end, it is over after so many milliseconds without one. */
const pause = 150;

/**
 * A view over content larger than itself, which the browser scrolls: `<scroll-view>`. What is in it
 * becomes part of its `contentView`. Its properties and those of its delegate: docs/UI.md.
 */
export class ScrollView extends UIElement {
  static tag = "scroll-view";
  static observedAttributes = ["data-minimum-zoom-scale", "data-maximum-zoom-scale"];
  /** What the content is in. */
  contentView = document.createElement("div");
  panGestureRecognizer = new PanGestureRecognizer(this);
  /** Of the arrow keys. */
  directionalPressGestureRecognizer = { isEnabled: true };
  #delegate = null;
  /** What zooms, and what comes of fetching the code of it. */
  #zooming = null;
  #zoomable = null;
  #refreshControl = null;
  #inset = { ...noInset };
  #adjusted = { ...noInset };
  #bars = new ScrollIndicators(this);
  #timer = 0;
  #isGoingToTop = false;
  #sizes = new ResizeObserver(() => this.handleResize());
  #restoration = new Restoration(this);

  constructor() {
    super();
    this.contentView.className = "ui-content";
    this.addEventListener("scroll", () => this.handleScroll(), { passive: true });
    this.addEventListener("scrollend", () => this.handleScrollEnd());
    this.addEventListener("keydown", (event) => this.handleKey(event));
  }

  connectedCallback() {
    this.classList.add("ui-scroll");
    if (this.contentView.parentNode !== this) {
      this.contentView.append(...this.childNodes);
      this.append(this.contentView);
    }
    if (!this.focusTarget.hasAttribute("tabindex")) this.focusTarget.tabIndex = 0;
    this.#sizes.observe(this);
    this.#sizes.observe(this.contentView);
    addEventListener("pagehide", this.#restoration.save);
    this.restoreState();
  }

  disconnectedCallback() {
    // Where it is was kept when it came to rest: it is nowhere now.
    this.#restoration.isOver = false;
    removeEventListener("pagehide", this.#restoration.save);
    this.#sizes.disconnect();
  }

  attributeChangedCallback() {
    this.#zooming?.arm();
    if (this.#zoomable || this.minimumZoomScale === this.maximumZoomScale) return;
    this.#zoomable = import("./Zooming.js").then(({ Zooming }) => {
      this.#zooming = new Zooming(this);
    });
  }

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
    const offset = { x: this.scrollLeft - left + this.#mirrored, y: this.position - top };
    offset[axis] -= distance;
    return offset;
  }

  set contentOffset(offset) { this.setContentOffset(offset); }
  /** Moves it to its ends at most. */
  setContentOffset({ x, y }, animated = false) {
    this.panGestureRecognizer.endSettling();
    const { top, left } = this.adjustedContentInset;
    const across = x === undefined ? undefined : x + left - this.#mirrored;
    const down = y === undefined ? undefined : y + top;
    this.scrollToPosition(down, animated && !prefersReducedMotion(), across);
    this.panGestureRecognizer.halt(() => this.setContentOffset({ x, y }, animated));
  }

  /** Room around the content, in pixels. Changing it leaves the content where it is. */
  get contentInset() { return { ...this.#inset }; }
  set contentInset(inset) {
    const { y } = this.contentOffset;
    for (const [side, size] of Object.entries(Object.assign(this.#inset, inset))) {
      this.style.setProperty(`--inset-${side}`, `${size}px`);
    }
    this.#checkInset();
    const position = y + this.adjustedContentInset.top;
    this.position = Math.max(position, 0);
    this.panGestureRecognizer.rebase(Math.max(-position, 0));
  }

  /** The inset, and what the safe area of the display adds. */
  get adjustedContentInset() {
    if (!this.isConnected) return this.contentInset;
    const style = getComputedStyle(this);
    const [top, left, bottom, right] = ["Top", "Left", "Bottom", "Right"]
      .map((side) => parseFloat(style[`padding${side}`]) || 0);
    return { top, left, bottom, right };
  }

  /** Room at the ends of the bars, where the browser lets a page say so. */
  get verticalScrollIndicatorInsets() { return this.#bars.insets("vertical"); }
  set verticalScrollIndicatorInsets(insets) { this.#bars.setInsets("vertical", insets); }
  get horizontalScrollIndicatorInsets() { return this.#bars.insets("horizontal"); }
  set horizontalScrollIndicatorInsets(insets) { this.#bars.setInsets("horizontal", insets); }
  flashScrollIndicators() { this.#bars.flash(); }
  /** For a subclass: the inset or the safe area changed. */
  adjustedContentInsetDidChange() {}
  /** Where the view is in the window. */
  get frameLayoutGuide() { return this.getBoundingClientRect(); }
  /** Where the content is in the window. */
  get contentLayoutGuide() { return this.contentView.getBoundingClientRect(); }

  /** None is here that is another view's by now. */
  get refreshControl() {
    return this.#refreshControl?.parentNode === this.contentView ? this.#refreshControl : null;
  }

  set refreshControl(control) {
    this.refreshControl?.remove();
    this.#refreshControl = control;
    if (control) this.contentView.prepend(control);
  }

  /** Whether fingers scroll it; to forbid that ends a drag. */
  get isScrollEnabled() { return this.dataset.isScrollEnabled !== "false"; }
  set isScrollEnabled(isEnabled) {
    this.dataset.isScrollEnabled = `${isEnabled}`;
    if (!isEnabled) this.panGestureRecognizer.cancel();
  }

  /** Whether a finger is down. */
  get isTracking() { return this.panGestureRecognizer.isTracking; }
  /** Whether it moves the content. */
  get isDragging() { return this.panGestureRecognizer.isDragging; }
  /** Whether the content goes on without it. */
  get isDecelerating() { return this.panGestureRecognizer.isDecelerating; }

  /** For a subclass: whether a control in the content may follow a touch. */
  touchesShouldBegin(_event, _control) { return true; }
  /** Whether a scroll may take a touch from an element: not from what a finger operates. */
  touchesShouldCancel(element) {
    for (let one = element; one && one !== this; one = around(one)) {
      if (one.cancelTouch || one.matches?.("input, select, textarea")) return false;
    }
    return true;
  }

  /** How much larger the delegate's view for zooming is shown. */
  get zoomScale() { return this.#zooming?.scale ?? 1; }
  set zoomScale(scale) { this.setZoomScale(scale); }
  setZoomScale(scale, animated = false) {
    this.#zoom(() => this.#zooming.setScale(scale, animated));
  }

  /** Has a part of that view fill this one. `rect`: in that view's terms. */
  zoom(rect, animated = false) { this.#zoom(() => this.#zooming.show(rect, animated)); }
  /** Whether fingers make it larger or smaller. */
  get isZooming() { return this.pinchGestureRecognizer?.isZooming ?? false; }
  /** Whether it comes back from past a limit. */
  get isZoomBouncing() { return this.#zooming?.isBouncing ?? false; }
  get pinchGestureRecognizer() { return this.#zooming?.pinch ?? null; }
  /** Moves as little as shows a part. */
  scrollRectToVisible({ x, y, width = 0, height = 0 }, animated = false) {
    const [{ top, left, bottom, right }, now] = [this.adjustedContentInset, this.contentOffset];
    const to = {
      x: nearestOffset(now.x, x ?? now.x + left, width, left, this.clientWidth - right),
      y: nearestOffset(now.y, y ?? now.y + top, height, top, this.clientHeight - bottom),
    };
    if (to.x !== now.x || to.y !== now.y) this.setContentOffset(to, animated);
  }

  /** What to keep of where it is; a subclass knows more. */
  encodeRestorableState() {
    return { ...this.contentOffset, scale: this.zoomScale };
  }

  /** Goes back to where it was: whether the content is there for it. */
  decodeRestorableState({ x = 0, y, scale = 1 }) {
    if (scale !== this.zoomScale) this.setZoomScale(scale);
    this.setContentOffset({ x, y });
    return scale === this.zoomScale && this.contentOffset.y >= y - 1;
  }

  /** The element that the keyboard gets to. */
  get focusTarget() { return this; }
  /** How far the content's start is above the view's, without a pull. */
  get position() { return this.scrollTop; }
  set position(position) { this.scrollTop = position; }
  get maximumPosition() { return this.scrollHeight - this.clientHeight; }
  /** The part of the inset at the top that is there only while something refreshes. */
  get temporaryInset() { return this.refreshControl?.occupiedHeight ?? 0; }
  /** Scrolls; what is undefined stays. */
  scrollToPosition(top, animated, left) {
    this.scrollTo({ top, left, behavior: animated ? "smooth" : "instant" });
  }

  maximumOffset(axis) { return axis === "y" ? this.maximumPosition : this.scrollWidth - this.clientWidth; }

  /** Whether content that a finger moves down or right (above 0), or up or left, is at its end. */
  isAtEnd(direction, axis = "y") {
    const position = axis === "y" ? this.position : this.scrollLeft + this.#mirrored;
    return direction > 0 ? position <= 0 : position >= this.maximumOffset(axis) - 1;
  }

  handleScroll() {
    this.panGestureRecognizer.arm();
    this.panGestureRecognizer.scrolled();
    this.offsetDidChange();
    if ("onscrollend" in window) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.handleScrollEnd(), pause);
  }

  offsetDidChange() { this.delegate?.didScroll?.(this); }
  dragWillBegin() { this.#begins("willBeginDragging"); }
  zoomWillBegin(element) { this.#begins("willBeginZooming", element); }
  #begins(what, element) {
    this.#restoration.isOver = true;
    this.delegate?.[what]?.(this, element);
  }

  dragDidEnd(willDecelerate) {
    this.refreshControl?.handleRelease();
    this.delegate?.didEndDragging?.(this, willDecelerate);
  }

  handleScrollEnd() {
    if (this.isTracking) return;
    this.panGestureRecognizer.markPages();
    if (this.isDecelerating) {
      this.panGestureRecognizer.isDecelerating = false;
      this.delegate?.didEndDecelerating?.(this);
    }
    if (this.#isGoingToTop && this.position <= 0) this.delegate?.didScrollToTop?.(this);
    this.#isGoingToTop = false;
    this.#restoration.save();
  }

  handleResize() {
    this.#checkInset();
    this.panGestureRecognizer.arm();
    this.restoreState();
  }

  handleKey(event) {
    const [{ target, key }, { isEnabled }] = [event, this.directionalPressGestureRecognizer];
    if (target !== this.focusTarget) return;
    if (key === "Home") this.#isGoingToTop = this.scrollsToTop;
    if (!isEnabled && key.startsWith("Arrow")) event.preventDefault();
  }

  restoreState() { this.#restoration.restore(); }

  /** What to add to a position from the right, as browsers have it, to have it from the left. */
  get #mirrored() {
    return getComputedStyle(this).direction === "rtl" ? this.scrollWidth - this.clientWidth : 0;
  }

  /** Does what is asked of what zooms, once its code is here; of what does not zoom, nothing. */
  #zoom(act) {
    if (this.#zooming) act();
    else this.#zoomable?.then(act);
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
  isPagingEnabled: false, bounces: true,
  alwaysBounceVertical: false, alwaysBounceHorizontal: false,
  scrollsToTop: true, showsVerticalScrollIndicator: true, showsHorizontalScrollIndicator: true,
  indicatorStyle: "default", contentInsetAdjustmentBehavior: "automatic",
  keyboardDismissMode: "none", canCancelContentTouches: true, delaysContentTouches: true,
  indexDisplayMode: "automatic", restorationIdentifier: "",
  isDirectionalLockEnabled: false, decelerationRate: 0.998,
  automaticallyAdjustsScrollIndicatorInsets: true,
  minimumZoomScale: 1, maximumZoomScale: 1, bouncesZoom: true,
});

/** Keeps where a scroll view is, under its restoration identifier, and goes back there. */
export class Restoration {
  /** Whether it is where it was, or has gone elsewhere since. */
  isOver = false;
  #view;
  #hasInset = false;

  constructor(view) {
    this.#view = view;
  }

  save = () => {
    const { restorationIdentifier: name, contentInset: { top, ...sides } } = this.#view;
    if (!name || !this.isOver) return;
    // Room for what refreshes is not the view's own.
    const inset = { top: top - this.#view.temporaryInset, ...sides };
    save(`ui ${name}`, JSON.stringify({ ...this.#view.encodeRestorableState(), inset }));
  };

  /** Goes to where it was when the page went away, once there is such a place. */
  restore() {
    const view = this.#view;
    if (this.isOver || !view.restorationIdentifier) return;
    const kept = /** @type {?Record<string, any>} */ (loadValue(`ui ${view.restorationIdentifier}`));
    const { inset, ...state } = kept ?? {};
    if (inset && !this.#hasInset) {
      view.contentInset = { ...inset, top: inset.top + view.temporaryInset };
    }
    this.#hasInset = true;
    this.isOver = !kept || view.decodeRestorableState(state);
  }
}

/** How long bars are shown that flash, in milliseconds. */
const time = 800;
const shown = { vertical: ["top", "bottom"], horizontal: ["left", "right"] };

/** The bars of a scroll view, where the browser lets a page say something of them. */
export class ScrollIndicators {
  #view;
  #insets = {
    vertical: { top: 0, left: 0, bottom: 0, right: 0 },
    horizontal: { top: 0, left: 0, bottom: 0, right: 0 },
  };

  constructor(view) {
    this.#view = view;
  }

  /** The room at a bar's ends. */
  insets(bar) { return { ...this.#insets[bar] }; }

  setInsets(bar, sides) {
    const insets = Object.assign(this.#insets[bar], sides);
    const { style, dataset } = this.#view;
    for (const side of shown[bar]) style.setProperty(`--bar-${side}`, `${insets[side]}px`);
    dataset.bar = "";
  }

  /** Shows the view's own bars more clearly for a moment. */
  flash() {
    const { dataset } = this.#view;
    dataset.flashes = "";
    setTimeout(() => { delete dataset.flashes; }, time);
  }
}

/** The offset nearest to one at which a part of the content lies between two lines of the view. */
export function nearestOffset(offset, start, size, from, to) {
  const first = start - from;
  return first < offset ? first : Math.max(offset, Math.min(start + size - to, first));
}

/** A scroll view whose content may be higher than a browser's element; a subclass draws it. */
export class TallScrollView extends ScrollView {
  /** The row that a scroll which code began leads to. */
  scrollTarget = null;
  /** Goes on with that scroll: what is learned of the content on the way moves its end. */
  #onward = null;
  mapping = new ScrollMapping();
  #top = 0;
  #isMoving = false;
  /** Whether it is, or was just, not drawn: the browser forgets then where it was. */
  #isAway = false;

  constructor() {
    super();
    // What a person does ends what code began.
    for (const kind of ["wheel", "pointerdown", "touchstart", "keydown"]) {
      this.addEventListener(kind, () => { this.#onward = null; }, { passive: true });
    }
  }

  connectedCallback() {
    this.#isAway = this.#top > 0 && this.scrollTop === 0;
    super.connectedCallback();
    this.#comeBack();
  }

  disconnectedCallback() {
    this.#isAway = true;
    super.disconnectedCallback();
  }

  /** For a subclass: shows what is in sight. */
  layOut() {}

  /** How high the content is. */
  set contentLength(length) {
    this.mapping.length = length;
    this.contentView.style.height = `${this.mapping.height}px`;
  }

  get position() {
    const isHere = !this.#isAway && this.checkVisibility();
    return (isHere ? this.scrollTop : this.#top) + this.mapping.base;
  }

  set position(position) {
    if (this.#isAway || !this.checkVisibility()) {
      this.#isAway = true;
      this.#top = position - this.mapping.base;
      return;
    }
    // Whole pixels: on others words would be blurred.
    const target = Math.round(Math.max(0, Math.min(position, this.maximumPosition)));
    const top = Math.round(this.mapping.toElement(target));
    this.mapping.base = target - top;
    // Setting it would end a scroll that is under way, even to the same.
    if (this.scrollTop !== top) this.scrollTop = top;
    this.#top = top;
    this.layOut();
  }

  get maximumPosition() {
    if (!this.checkVisibility()) return this.mapping.length;
    return this.scrollHeight - this.clientHeight + this.mapping.length - this.mapping.height;
  }

  scrollToPosition(position, animated, left) {
    if (position === undefined) return super.scrollToPosition(position, animated, left);
    const target = Math.max(0, Math.min(position, this.maximumPosition));
    const top = target - this.mapping.base;
    const way = Math.abs(target - this.position);
    this.#onward = null;
    if (animated && way < 1) return super.scrollToPosition(undefined, true, left);
    if (animated && way < 20_000 && top >= 0 && top <= this.scrollHeight - this.clientHeight) {
      this.#onward = () => this.scrollToPosition(target, true);
      super.scrollToPosition(top, true, left);
    } else {
      this.position = target;
      if (left !== undefined) super.scrollToPosition(undefined, animated, left);
    }
  }

  /** Goes to a row, whose position heights may move that are learned on the way. */
  scrollToward(path, go, animated) {
    go(path, animated);
    if (this.#onward) {
      this.scrollTarget = path;
      this.#onward = () => this.scrollTarget && this.scrollToward(this.scrollTarget, go, true);
      return;
    }
    for (let [pass, last] = [0, NaN]; pass < 4 && last !== this.position; pass += 1) {
      last = this.position;
      go(path, false);
    }
  }

  /** Scrolls without the reader's seeing it, and without stopping content that is in motion. */
  shiftBy(distance) {
    if (this.#isMoving && this.#isFree) {
      this.mapping.base += distance;
      this.layOut();
    } else {
      this.position = this.position + distance;
    }
  }

  /** Whether the element can be scrolled on for a while either way. */
  get #isFree() {
    const { scrollTop: top, scrollHeight, clientHeight: reach } = this;
    return top > 2 * reach && top < scrollHeight - 3 * reach;
  }

  handleScroll() {
    // What it hears when it is away is of before, or of its being away.
    if (this.#isAway || !this.checkVisibility()) return;
    const jump = Math.abs(this.scrollTop - this.#top);
    this.#top = this.scrollTop;
    this.#isMoving = true;
    const isScaled = this.mapping.length > this.mapping.height;
    if (isScaled && jump > 5 * this.clientHeight && !this.isTracking) {
      this.mapping.base = Math.round(this.mapping.toContent(this.#top) - this.#top);
    } else if (this.mapping.base !== 0 && !this.#isFree) {
      this.position = this.position;
    }
    this.layOut();
    super.handleScroll();
  }

  handleScrollEnd() {
    this.#isMoving = false;
    const onward = this.#onward;
    this.#onward = null;
    this.position = this.position;
    if (!this.isTracking) onward?.();
    super.handleScrollEnd();
  }

  handleResize() {
    super.handleResize();
    this.#comeBack();
  }

  /** Goes to where it was, or should be, once it is drawn. */
  #comeBack() {
    if (!this.checkVisibility()) {
      this.#isAway = true;
    } else if (this.#isAway) {
      this.#isAway = false;
      this.position = this.#top + this.mapping.base;
    }
  }
}

/** No element is higher than this, in pixels: browsers end near 17 million, and round near 8. */
export const highest = 8_000_000;
/** So far from its ends what is drawn and the content are the same. */
const edge = 1_000_000;

/** The position of content on an element of limited height; `base` is how much further it is there. */
export class ScrollMapping {
  /** How much further the content's position is than the element's. */
  base = 0;
  length = 0;

  /** The element's height. */
  get height() { return Math.min(this.length, highest); }

  /** Where the element should be for content to be at `position`. */
  toElement(position) {
    const { length, height } = this;
    if (length === height || position <= edge) return position;
    if (position >= length - edge) return position - length + height;
    return edge + (position - edge) * (height - 2 * edge) / (length - 2 * edge);
  }

  /** The content's position when the element's bar was dragged to `top`: the inverse of `toElement`. */
  toContent(top) {
    const { length, height } = this;
    if (length === height || top <= edge) return top;
    if (top >= height - edge) return top - height + length;
    return edge + (top - edge) * (length - 2 * edge) / (height - 2 * edge);
  }
}
