import { ScrollMapping } from "./ScrollMapping.js";
import { ScrollView } from "./ScrollView.js";

/** A scroll view whose content may be higher than a browser's element; a subclass draws it. */
export class TallScrollView extends ScrollView {
  /** The row that a scroll which code began leads to. */
  _goal = null;
  /** Goes on with that scroll: what is learned of the content on the way moves its end. */
  #onward = null;
  _mapping = new ScrollMapping();
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

  /** How high the content is. */
  set _length(length) {
    this._mapping.length = length;
    this.contentView.style.height = `${this._mapping.height}px`;
  }

  get _position() {
    const isHere = !this.#isAway && this.checkVisibility();
    return (isHere ? this.scrollTop : this.#top) + this._mapping.base;
  }

  set _position(position) {
    if (this.#isAway || !this.checkVisibility()) {
      this.#isAway = true;
      this.#top = position - this._mapping.base;
      return;
    }
    // Whole pixels: on others words would be blurred.
    const target = Math.round(Math.max(0, Math.min(position, this._maximum)));
    const top = Math.round(this._mapping.toElement(target));
    this._mapping.base = target - top;
    // Setting it would end a scroll that is under way, even to the same.
    if (this.scrollTop !== top) this.scrollTop = top;
    this.#top = top;
    this._layOut();
  }

  get _maximum() {
    if (!this.checkVisibility()) return this._mapping.length;
    return this.scrollHeight - this.clientHeight + this._mapping.length - this._mapping.height;
  }

  _scrollTo(position, animated, left) {
    if (position === undefined) return super._scrollTo(position, animated, left);
    const target = Math.max(0, Math.min(position, this._maximum));
    const top = target - this._mapping.base;
    const way = Math.abs(target - this._position);
    this.#onward = null;
    if (animated && way < 1) return super._scrollTo(undefined, true, left);
    if (animated && way < 20_000 && top >= 0 && top <= this.scrollHeight - this.clientHeight) {
      this.#onward = () => this._scrollTo(target, true);
      super._scrollTo(top, true, left);
    } else {
      this._position = target;
      if (left !== undefined) super._scrollTo(undefined, animated, left);
    }
  }

  /** Goes to a row, whose position heights may move that are learned on the way. */
  _aim(path, go, animated) {
    go(path, animated);
    if (this.#onward) {
      this._goal = path;
      this.#onward = () => this._goal && this._aim(this._goal, go, true);
      return;
    }
    for (let [pass, last] = [0, NaN]; pass < 4 && last !== this._position; pass += 1) {
      last = this._position;
      go(path, false);
    }
  }

  /** Scrolls without the reader's seeing it, and without stopping content that is in motion. */
  _moveBy(distance) {
    if (this.#isMoving && this.#isFree) {
      this._mapping.base += distance;
      this._layOut();
    } else {
      this._position = this._position + distance;
    }
  }

  /** Whether the element can be scrolled on for a while either way. */
  get #isFree() {
    const { scrollTop: top, scrollHeight, clientHeight: reach } = this;
    return top > 2 * reach && top < scrollHeight - 3 * reach;
  }

  _scrolled() {
    // What it hears when it is away is of before, or of its being away.
    if (this.#isAway || !this.checkVisibility()) return;
    const jump = Math.abs(this.scrollTop - this.#top);
    this.#top = this.scrollTop;
    this.#isMoving = true;
    const isScaled = this._mapping.length > this._mapping.height;
    if (isScaled && jump > 5 * this.clientHeight && !this.isTracking) {
      this._mapping.base = Math.round(this._mapping.toContent(this.#top) - this.#top);
    } else if (this._mapping.base !== 0 && !this.#isFree) {
      this._position = this._position;
    }
    this._layOut();
    super._scrolled();
  }

  _scrollEnded() {
    this.#isMoving = false;
    const onward = this.#onward;
    this.#onward = null;
    this._position = this._position;
    if (!this.isTracking) onward?.();
    super._scrollEnded();
  }

  _resized() {
    super._resized();
    this.#comeBack();
  }

  /** Goes to where it was, or should be, once it is drawn. */
  #comeBack() {
    if (!this.checkVisibility()) {
      this.#isAway = true;
    } else if (this.#isAway) {
      this.#isAway = false;
      this._position = this.#top + this._mapping.base;
    }
  }
}
