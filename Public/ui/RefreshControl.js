import { announce, prefersReducedMotion, reflect, UIElement } from "./page.js";
import { Control } from "./Control.js";

/** The room it takes while it refreshes, and how far it must be pulled for that, in pixels. */
const height = 60;
const critical = 72;
/** How long a pull shows that it refreshes, at the least, in milliseconds. */
const MIN_SHOWN_MS = 500;

/** What a pull at the top of a scroll view reveals and starts: `<refresh-control>`. */
export class RefreshControl extends Control {
  static tag = "refresh-control";
  /** What a screen reader hears when it begins. */
  refreshingLabel = "Refreshing";
  #isRefreshing = false;
  /** The view that keeps room for it. */
  #host = null;
  /** The touch that started it last: one starts it once. */
  #touch = 0;
  /** When a finger began it; not a number when code did. */
  #began = NaN;
  #timer = 0;
  #indicator = new ActivityIndicator();
  #title = document.createElement("p");

  connectedCallback() {
    this.classList.add("ui-refresh-control");
    this.#indicator.hidesWhenStopped = false;
    this.#indicator.ariaHidden = this.#title.ariaHidden = "true";
    this.#title.dir = "auto";
    this.replaceChildren(this.#indicator, this.#title);
    if (this.#isRefreshing) this.#takeRoom();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    if (!this.#host?.contains(this)) this.#giveRoom();
    if (!this.#isRefreshing) this.#rest();
  }

  /** The height that it takes now. */
  get occupiedHeight() { return this.#host ? height : 0; }

  get isRefreshing() { return this.#isRefreshing; }

  /** Words below the wheel. */
  get attributedTitle() { return this.#title.textContent; }
  set attributedTitle(words) { this.#title.textContent = words; }

  /** The colour of the wheel. */
  get tintColor() { return this.style.color; }
  set tintColor(color) { this.style.color = color; }

  /** Starts it from code: nothing is sent. */
  beginRefreshing() {
    if (this.#isRefreshing) return;
    this.#isRefreshing = true;
    this.#began = NaN;
    clearTimeout(this.#timer);
    this.#indicator.startAnimating();
    this.dataset.refreshing = "";
    announce(this.refreshingLabel);
    this.#takeRoom();
  }

  /**
   * Ends it, without a jump; what a finger began is seen until it lets go, and for half a second.
   * `outcome` is announced: "3 new, 1 changed".
   */
  endRefreshing(outcome = "") {
    if (!this.#isRefreshing) return;
    this.#isRefreshing = false;
    if (outcome) announce(outcome);
    this.handleRelease();
  }

  /** Nothing of it is seen any more, once it may be so. */
  handleRelease() {
    clearTimeout(this.#timer);
    if (this.#isRefreshing || !("refreshing" in this.dataset)) return;
    const left = prefersReducedMotion() ? 0 : this.#began + MIN_SHOWN_MS - performance.now();
    if (!Number.isNaN(this.#began) && this.#view?.isTracking) return;
    if (left > 0) this.#timer = setTimeout(() => this.handleRelease(), left);
    else this.#rest();
  }

  #rest() {
    this.#indicator.stopAnimating();
    delete this.dataset.refreshing;
    this.#giveRoom();
  }

  /** The view is pulled so far. */
  handlePull(distance) {
    this.style.setProperty("--progress", `${Math.min(distance / critical, 1)}`);
    if (distance < critical || !this.#view.isTracking || !this.isEnabled) return;
    const { touchCount } = this.#view.panGestureRecognizer;
    if (this.#touch === touchCount || this.#isRefreshing) return;
    this.#touch = touchCount;
    this.beginRefreshing();
    this.#began = performance.now();
    this.sendActions(["valueChanged", "primaryActionTriggered"]);
  }

  #takeRoom() {
    const view = this.#view;
    // The view before this one kept it, where that was not in the page.
    if (this.#host !== view) this.#giveRoom();
    const isTouched = navigator.maxTouchPoints > 0 || matchMedia("(any-pointer: coarse)").matches;
    if (!view || this.#host || !isTouched) return;
    this.#host = view;
    const isAtTop = view.isAtEnd(1);
    view.contentInset = { top: view.contentInset.top + height };
    if (isAtTop) view.setContentOffset({ y: -view.adjustedContentInset.top }, !view.isTracking);
  }

  #giveRoom() {
    const view = this.#host;
    this.#host = null;
    if (view) view.contentInset = { top: view.contentInset.top - height };
  }

  get #view() { return this.closest(".ui-scroll"); }
}

/** A wheel that turns while something is under way: `<activity-indicator>`. */
export class ActivityIndicator extends UIElement {
  static tag = "activity-indicator";
  connectedCallback() {
    this.classList.add("ui-activity-indicator");
    this.role ??= "progressbar";
    this.ariaLabel ??= "In progress";
  }

  startAnimating() { this.isAnimating = true; }
  stopAnimating() { this.isAnimating = false; }
}

reflect(ActivityIndicator, {
  hidesWhenStopped: true, indicatorStyle: "medium", isAnimating: false,
});
