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
