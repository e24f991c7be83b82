import { reflect } from "./reflect.js";

/**
 * The part of a scroll view that magnifies what its delegate's `viewForZooming(view)` offers, by two
 * fingers, or the wheel with Control. It needs limits that differ.
 * @property {number} minimumZoomScale
 * @property {number} maximumZoomScale
 * @property {boolean} bouncesZoom whether fingers may go past the limits for a while
 */
export class Zoomable extends HTMLElement {
  /** Whether two fingers magnify. */
  isZooming = false;
  /** Whether it is past a limit, to which it will return. */
  isZoomBouncing = false;
  #scale = 1;
  #pinch = null;

  constructor() {
    super();
    this.addEventListener("touchmove", (event) => this.#pinched(event), { passive: true });
    this.addEventListener("touchend", () => this.#ended(), { passive: true });
    this.addEventListener("wheel", (event) => {
      if (!event.ctrlKey || !this.#canZoom) return;
      event.preventDefault();
      this.zoomScale = this.#scale * Math.exp(-event.deltaY / 200);
    }, { passive: false });
  }

  get zoomScale() { return this.#scale; }
  set zoomScale(scale) { this.setZoomScale(scale); }

  /** Magnifies about the middle, within the limits. */
  setZoomScale(scale, animated = false) {
    this.#show(Math.min(Math.max(scale, this.minimumZoomScale), this.maximumZoomScale), animated);
  }

  /** @param {{x: number, y: number, width: number, height: number}} rect to fill the view with */
  zoom({ x, y, width, height }, animated = false) {
    this.setZoomScale(Math.min(this.clientWidth / width, this.clientHeight / height), animated);
    this.setContentOffset({ x: x * this.#scale, y: y * this.#scale }, animated);
  }

  get #canZoom() { return this.minimumZoomScale < this.maximumZoomScale; }

  #pinched({ touches }) {
    if (touches.length !== 2 || !this.#canZoom) return;
    const [one, two] = touches;
    const span = Math.hypot(one.clientX - two.clientX, one.clientY - two.clientY);
    this.#pinch ??= { span, scale: this.#scale };
    this.isZooming = true;
    const scale = this.#pinch.scale * span / this.#pinch.span;
    const [low, high] = [this.minimumZoomScale, this.maximumZoomScale];
    this.isZoomBouncing = this.bouncesZoom && (scale < low || scale > high);
    if (this.isZoomBouncing) this.#show(Math.min(Math.max(scale, low * 0.8), high * 1.25), false);
    else this.setZoomScale(scale);
  }

  #ended() {
    if (!this.isZooming) return;
    this.#pinch = null;
    this.isZooming = this.isZoomBouncing = false;
    this.setZoomScale(this.#scale, true);
  }

  #show(scale, animated) {
    const view = this.delegate?.viewForZooming?.(this);
    if (!view) return;
    const { x, y } = this.contentOffset;
    const ratio = scale / this.#scale;
    const [width, height] = [this.clientWidth / 2, this.clientHeight / 2];
    this.#scale = scale;
    view.style.zoom = scale;
    this.setContentOffset({ x: (x + width) * ratio - width, y: (y + height) * ratio - height },
      animated);
    this.delegate.didZoom?.(this);
  }
}

reflect(Zoomable, { minimumZoomScale: 1, maximumZoomScale: 1, bouncesZoom: true });
