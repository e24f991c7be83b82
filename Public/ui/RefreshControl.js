import { ActivityIndicator } from "./ActivityIndicator.js";
import { announce } from "./announce.js";
import { Control } from "./Control.js";

/** The room it takes while it refreshes, and how far it must be pulled for that, in pixels. */
const height = 60;
const critical = 72;

/** What a pull at the top of a scroll view reveals and starts: `<refresh-control>`. */
export class RefreshControl extends Control {
  /** What a screen reader hears when it begins. */
  refreshingLabel = "Refreshing";
  #isRefreshing = false;
  /** The view that keeps room for it. */
  #host = null;
  /** Whether this pull has started it already. */
  #isSpent = false;
  #indicator = new ActivityIndicator();
  #title = document.createElement("p");

  connectedCallback() {
    this.#indicator.hidesWhenStopped = false;
    this.#indicator.ariaHidden = this.#title.ariaHidden = "true";
    this.#title.dir = "auto";
    this.replaceChildren(this.#indicator, this.#title);
    if (this.#isRefreshing) this.#takeRoom();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    if (!this.#host?.contains(this)) this.#giveRoom();
  }

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
    this.#indicator.startAnimating();
    this.dataset.refreshing = "";
    announce(this.refreshingLabel);
    this.#takeRoom();
  }

  /** Ends it, without a jump. @param {string} [outcome] is announced: "3 new, 1 changed" */
  endRefreshing(outcome = "") {
    if (!this.#isRefreshing) return;
    this.#isRefreshing = false;
    this.#indicator.stopAnimating();
    delete this.dataset.refreshing;
    if (outcome) announce(outcome);
    this.#giveRoom();
  }

  /** The view is pulled so far. */
  _pulled(distance) {
    this.style.setProperty("--progress", Math.min(distance / critical, 1));
    if (distance === 0) this.#isSpent = false;
    if (distance < critical || !this.#view.isTracking || !this.isEnabled) return;
    if (this.#isSpent || this.#isRefreshing) return;
    this.#isSpent = true;
    this.beginRefreshing();
    this.sendActions(["valueChanged", "primaryActionTriggered"]);
  }

  #takeRoom() {
    const view = this.#view;
    const isTouched = navigator.maxTouchPoints > 0 || matchMedia("(any-pointer: coarse)").matches;
    if (!view || this.#host || !isTouched) return;
    this.#host = view;
    const isAtTop = view._isAtEnd(1);
    view.contentInset = { top: view.contentInset.top + height };
    if (isAtTop) view.setContentOffset({ y: -view.adjustedContentInset.top }, !view.isTracking);
  }

  #giveRoom() {
    const view = this.#host;
    this.#host = null;
    if (view) view.contentInset = { top: view.contentInset.top - height };
  }

  /** @returns {?import("./ScrollView.js").ScrollView} */
  get #view() { return this.closest(".ui-scroll"); }
}

customElements.define("refresh-control", RefreshControl);
