import { decelerate, rubberBand, rubberBandPull } from "./PanGestureRecognizer.js";

/** How long it takes where no finger does it, in milliseconds. */
const duration = 300;

/**
 * Shows the element that a scroll view's delegate has for that larger or smaller, over the
 * browser's own scrolling. The code of it comes for views whose two limits differ.
 */
export class Zooming {
  /** How much larger it is, or is about to be. */
  scale = 1;
  /** Whether it comes back from past a limit. */
  isBouncing = false;
  pinch;
  #view;
  #element = null;
  /** How much larger it is at the moment, and was when the delegate last heard of it. */
  #shown = 1;
  #told = 1;
  /** Its size in the page, while it is shown at another. */
  #size = null;
  #hasBegun = false;
  #halt = () => {};
  #sizes = new ResizeObserver(() => this.#fit());

  constructor(view) {
    this.#view = view;
    this.pinch = new PinchGestureRecognizer(view, this);
    this.arm();
  }

  /** Finds out what there is to zoom. Where there is nothing the browser magnifies the page. */
  arm() {
    const view = this.#view;
    const differ = view.minimumZoomScale < view.maximumZoomScale;
    const element = differ && view.delegate?.viewForZooming?.(view) || null;
    if (element !== this.#element) {
      this.stop();
      if (this.#element) this.#release();
      this.#sizes.disconnect();
      this.#element = element;
      this.scale = this.#shown = this.#told = 1;
      if (element) for (const one of [element, view]) this.#sizes.observe(one);
    }
    this.pinch.listen(element !== null);
  }

  /** Shows it at a scale; the middle of what is in sight stays there. */
  setScale(scale, animated) {
    if (this.#element) this.#go(scale, this.point(this.#middle), animated);
  }

  /** Has a part of it fill the view. */
  show({ x, y, width, height }, animated) {
    const { clientWidth, clientHeight } = this.#view;
    const scale = Math.min(clientWidth / width, clientHeight / height);
    if (this.#element) this.#go(scale, { x: x + width / 2, y: y + height / 2 }, animated);
  }

  /** The nearest scale within the limits. */
  within(scale) {
    return Math.min(Math.max(scale, this.#view.minimumZoomScale), this.#view.maximumZoomScale);
  }

  /** The point of it that is at a place in the window. */
  point(place) {
    const { x, y } = this.#frame;
    return { x: (place.x - x) / this.#shown, y: (place.y - y) / this.#shown };
  }

  begin() {
    if (this.#hasBegun) return;
    this.#hasBegun = true;
    this.#view.zoomWillBegin(this.#element);
  }

  stop() {
    this.#halt();
    this.isBouncing = false;
    this.scale = this.#shown;
  }

  /** Has fingers show it at a scale, with a point of it where they are. */
  follow(scale, point, place) {
    this.scale = scale;
    this.#show(frame(scale, point, place), this.#view.bouncesZoom);
    this.#tell();
  }

  /** The fingers are gone: it comes back to where it may be. */
  settle(point, place) {
    // Nobody hits its own size exactly.
    const shown = Math.abs(this.#shown - 1) < 0.01 ? 1 : this.#shown;
    const scale = this.within(shown);
    this.isBouncing = scale !== shown;
    this.move(scale, point, place, true);
  }

  /** Moves a point of it to a place in the window, or as near to that as its ends let it. */
  move(scale, point, place, animated) {
    const from = this.#frame;
    this.scale = scale;
    this.#show(frame(scale, point, place));
    const to = this.#frame;
    if (!animated) return this.#end();
    this.#show(from, true);
    this.#halt = decelerate(duration, (left) => {
      this.#show(left > 0 ? between(from, to, 1 - left) : to, left > 0);
      this.#tell();
      if (left === 0) this.#end();
    });
  }

  #go(scale, point, animated) {
    this.stop();
    if (animated) this.begin();
    this.move(this.within(scale), point, this.#middle, animated);
  }

  #end() {
    this.isBouncing = false;
    this.#tell();
    if (!this.#hasBegun) return;
    this.#hasBegun = false;
    this.#fit();
    this.#view.delegate?.didEndZooming?.(this.#view, this.#element, this.scale);
  }

  #tell() {
    if (this.#told === this.#shown) return;
    this.#told = this.#shown;
    this.#view.delegate?.didZoom?.(this.#view);
  }

  /** Shows it at a scale and place in the window; free of the ends of scrolling, or within them. */
  #show({ scale, x, y }, isFree = false) {
    const { style } = this.#element;
    this.#shown = scale;
    if (scale === 1 && !isFree || !this.#freeze()) {
      this.#release();
    } else {
      style.transform = `scale(${scale})`;
      const [width, height] = [this.#size.width * scale, this.#size.height * scale];
      Object.assign(this.#view.contentView.style, { width: `${width}px`, height: `${height}px` });
    }
    const now = this.#frame;
    this.#view.scrollBy({ left: now.x - x, top: now.y - y, behavior: "instant" });
    if (!isFree || !this.#size) return;
    const { x: left, y: top } = this.#frame;
    style.transform = `translate(${x - left}px, ${y - top}px) scale(${scale})`;
  }

  /** Has it keep the size that it has in the page, whatever room is made: whether it has one. */
  #freeze() {
    if (this.#size) return true;
    const { width, height } = this.#element.getBoundingClientRect();
    if (!width || !height) return false;
    this.#size = { width, height };
    this.#element.style.setProperty("--width", `${width}px`);
    this.#element.classList.add("ui-zoomed");
    return true;
  }

  #release() {
    this.#size = null;
    this.#element.classList.remove("ui-zoomed");
    this.#element.style.transform = "";
    Object.assign(this.#view.contentView.style, { width: "", height: "" });
  }

  /** The page, or what is in it, has another size. */
  #fit() {
    if (this.#shown === 1 || this.#hasBegun) return;
    const now = this.#frame;
    this.#release();
    this.#show(now);
  }

  /** Where its upper left corner is in the window, and how much larger it is. */
  get #frame() {
    const { left, top } = this.#element.getBoundingClientRect();
    return { scale: this.#shown, x: left, y: top };
  }

  /** The middle of the view in the window. */
  get #middle() {
    const { clientLeft, clientTop, clientWidth, clientHeight } = this.#view;
    const { left, top } = this.#view.getBoundingClientRect();
    return { x: left + clientLeft + clientWidth / 2, y: top + clientTop + clientHeight / 2 };
  }
}

function frame(scale, point, place) {
  return { scale, x: place.x - point.x * scale, y: place.y - point.y * scale };
}

function between(from, to, part) {
  const mixed = (name) => from[name] + (to[name] - from[name]) * part;
  return { scale: mixed("scale"), x: mixed("x"), y: mixed("y") };
}

/** So many milliseconds without a turn of the wheel, and it is at rest. */
const pause = 150;
/** The most of one turn of a wheel, of which a mouse makes large ones, in pixels. */
const longest = 30;
/** How much larger a key makes it. */
const step = 1.25;

/** What two fingers, a wheel with the control key (a trackpad's pinch) and keys do: zoom. */
export class PinchGestureRecognizer {
  /** possible, began, changed, ended, cancelled or failed */
  state = "possible";
  /** How far apart the fingers are, as a multiple of how far they were. */
  scale = 1;
  #view;
  #zooming;
  #isEnabled = true;
  #listening = null;
  /** What the fingers have: a point of the element; and what one pixel between them stands for. */
  #grip = null;
  #last = null;
  #timer = 0;

  constructor(view, zooming) {
    this.#view = view;
    this.#zooming = zooming;
  }

  get isEnabled() { return this.#isEnabled; }
  set isEnabled(isEnabled) {
    this.#isEnabled = isEnabled;
    this.#zooming.arm();
  }

  /** Whether fingers are zooming. */
  get isZooming() { return ["began", "changed"].includes(this.state); }

  /** Takes pinches from the browser, or leaves them to it. */
  listen(canZoom) {
    const isOn = canZoom && this.#isEnabled;
    this.#view.toggleAttribute("data-zooms", isOn);
    if (isOn === (this.#listening !== null)) return;
    this.#listening?.abort();
    this.#listening = isOn ? new AbortController() : null;
    if (!isOn) return;
    for (const [name, act] of Object.entries(this.#actions)) {
      this.#view.addEventListener(name, act, { passive: false, signal: this.#listening.signal });
    }
  }

  get #actions() {
    const touched = (event) => this.#touched(event);
    const actions = {
      touchstart: touched, touchend: touched, touchcancel: touched,
      touchmove: (event) => this.#moved(event),
      wheel: (event) => this.#turned(event),
      keydown: (event) => this.#pressed(event),
    };
    if ("ontouchend" in window) return actions;
    // Safari on a Mac tells of a trackpad so.
    const told = (act) => (event) => {
      event.preventDefault();
      act({ x: event.clientX, y: event.clientY, spread: event.scale });
    };
    return {
      ...actions,
      gesturestart: told((fingers) => this.#hold(fingers)),
      gesturechange: told((fingers) => this.#follow(fingers)),
      gestureend: told(() => this.#end("ended")),
    };
  }

  #touched({ type, touches }) {
    const fingers = this.#fingers(touches);
    if (fingers) this.#hold(fingers);
    else if (this.#grip) this.#end(type === "touchcancel" ? "cancelled" : "ended");
  }

  #moved(event) {
    const fingers = this.#fingers(event.touches);
    if (!fingers) return;
    if (event.cancelable) event.preventDefault();
    // The browser scrolls by one of them already: not both at once.
    else this.#view.style.overflow = "hidden";
    this.#follow(fingers);
  }

  #turned(event) {
    if (!event.ctrlKey) return;
    event.preventDefault();
    const { clientX: x, clientY: y, deltaY, deltaMode } = event;
    const way = deltaMode === 0 ? deltaY : deltaY * 16;
    this.#hold({ x, y, spread: 1 });
    this.#follow({ x, y, spread: Math.exp(-Math.max(-longest, Math.min(way, longest)) / 100) });
    this.#timer = setTimeout(() => this.#end("ended"), pause);
  }

  #pressed(event) {
    const { key, target, ctrlKey, metaKey, altKey } = event;
    const now = this.#zooming.scale;
    const scales = { "+": now * step, "=": now * step, "-": now / step, 0: 1 };
    const scale = scales[key];
    if (!scale || target !== this.#view || ctrlKey || metaKey || altKey) return;
    event.preventDefault();
    this.#zooming.setScale(scale, true);
  }

  /** Where two fingers that are on the view are, and how far apart. */
  #fingers(touches) {
    const [one, other] = [...touches].filter(({ target }) => this.#view.contains(target));
    if (!other) return null;
    const [x, y] = [one.clientX + other.clientX, one.clientY + other.clientY];
    const spread = Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY) || 1;
    return { x: x / 2, y: y / 2, spread };
  }

  #hold(fingers) {
    clearTimeout(this.#timer);
    this.#zooming.stop();
    if (!this.isZooming) [this.state, this.scale] = ["possible", 1];
    const { spread } = fingers;
    this.#grip = {
      point: this.#zooming.point(fingers), apart: this.scale / spread,
      unit: this.#bent(this.#zooming.scale, rubberBandPull) / spread,
    };
  }

  #follow(fingers) {
    const { point, apart, unit } = this.#grip;
    this.#last = fingers;
    this.scale = apart * fingers.spread;
    this.state = this.isZooming ? "changed" : "began";
    this.#zooming.begin();
    this.#zooming.follow(this.#bent(unit * fingers.spread, rubberBand), point, fingers);
  }

  #end(state) {
    const { point } = this.#grip;
    this.#grip = null;
    this.#view.style.overflow = "";
    this.state = this.isZooming ? state : "failed";
    if (state === this.state) this.#zooming.settle(point, this.#last);
  }

  /** A scale that past a limit gives less, or with the inverse more; or that goes no further. */
  #bent(scale, bend) {
    const within = this.#zooming.within(scale);
    if (!this.#view.bouncesZoom) return within;
    return within * Math.exp(bend(Math.log(scale / within), Math.LN2));
  }
}
