import { ScrollView } from "./ScrollView.js";

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
