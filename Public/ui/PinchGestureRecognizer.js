import { rubberBand, rubberBandPull } from "./motion.js";

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

  /** @param {import("./ScrollView.js").ScrollView} view */
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
    const scale = { "+": now * step, "=": now * step, "-": now / step, 0: 1 }[key];
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
