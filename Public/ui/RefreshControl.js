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
  /** The room that it has taken. */
  #room = 0;
  /** Whether this pull has started it already. */
  #isSpent = false;
  #indicator = new ActivityIndicator();
  #title = document.createElement("p");

  connectedCallback() {
    this.#indicator.hidesWhenStopped = false;
    this.#indicator.ariaHidden = this.#title.ariaHidden = "true";
    this.#title.dir = "auto";
    this.replaceChildren(this.#indicator, this.#title);
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
    const view = this.#view;
    if (!view || navigator.maxTouchPoints === 0 && !matchMedia("(any-pointer: coarse)").matches) {
      return;
    }
    const isAtTop = view._isAtEnd(1);
    this.#room = height;
    view.contentInset = { top: view.contentInset.top + height };
    if (isAtTop) view.setContentOffset({ y: -view.adjustedContentInset.top }, !view.isTracking);
  }

  /** Ends it, without a jump. @param {string} [outcome] is announced: "3 new, 1 changed" */
  endRefreshing(outcome = "") {
    if (!this.#isRefreshing) return;
    this.#isRefreshing = false;
    this.#indicator.stopAnimating();
    delete this.dataset.refreshing;
    if (outcome) announce(outcome);
    const view = this.#view;
    if (view) view.contentInset = { top: view.contentInset.top - this.#room };
    this.#room = 0;
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

  /** @returns {?import("./ScrollView.js").ScrollView} */
  get #view() { return this.closest(".ui-scroll"); }
}

customElements.define("refresh-control", RefreshControl);
