import { ActivityIndicator } from "./RefreshControl.js";
import { ScrollView } from "./ScrollView.js";

/** The room for the wheel while it refreshes, and how far a pull must go, in pixels. */
const room = 50;
const critical = -80;

/** An example of a look of one's own: `<refreshing-scroll-view>` (docs/UI.md). */
export class RefreshingScrollView extends ScrollView {
  static tag = "refreshing-scroll-view";
  /** Asks for what is new. */
  request = null;
  header = document.createElement("header");
  indicator = new ActivityIndicator();
  #isRefreshing = false;

  connectedCallback() {
    super.connectedCallback();
    this.alwaysBounceVertical = true;
    this.header.classList.add("ui-sticky");
    this.indicator.classList.add("ui-below-header");
    this.contentView.prepend(this.header, this.indicator);
  }

  get isRefreshing() { return this.#isRefreshing; }

  offsetDidChange() {
    this.#place();
    super.offsetDidChange();
  }

  adjustedContentInsetDidChange() {
    super.adjustedContentInsetDidChange();
    this.#place();
  }

  dragDidEnd(willDecelerate) {
    super.dragDidEnd(willDecelerate);
    if (this.contentOffset.y + this.adjustedContentInset.top < critical) this.refresh();
  }

  get temporaryInset() { return super.temporaryInset + (this.#isRefreshing ? room : 0); }

  /** Asks for what is new; once at a time. */
  async refresh() {
    if (this.#isRefreshing || !this.request) return;
    this.#isRefreshing = true;
    const isAtTop = this.isAtEnd(1);
    this.contentInset = { ...this.contentInset, top: this.contentInset.top + room };
    if (isAtTop) {
      this.setContentOffset({ y: -this.adjustedContentInset.top }, !this.isTracking);
    }
    this.indicator.startAnimating();
    const [outcome] = await Promise.allSettled([(async () => this.request())()]);
    this.indicator.stopAnimating();
    this.#isRefreshing = false;
    this.contentInset = { ...this.contentInset, top: this.contentInset.top - room };
    if (outcome.status === "fulfilled") this.delegate?.needsRefresh?.(outcome.value, this);
    else this.delegate?.didFail?.(outcome.reason, this);
  }

  /** In the content's terms: the header stays at the top, whatever is pulled or refreshed. */
  #place() {
    const y = this.contentOffset.y + this.adjustedContentInset.top - this.contentInset.top;
    this.header.style.translate = `0 ${y}px`;
    this.indicator.style.translate = `0 ${Math.min(y, 0)}px`;
  }
}
