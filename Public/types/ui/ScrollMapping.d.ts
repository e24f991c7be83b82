/** No element is higher than this, in pixels: browsers end near 17 million, and round near 8. */
export const highest: 8000000;
/** The position of content on an element of limited height; `base` is how much further it is there. */
export class ScrollMapping {
    /** How much further the content's position is than the element's. */
    base: number;
    length: number;
    /** The element's height. */
    get height(): number;
    /** Where the element should be for content to be at `position`. */
    toElement(position: any): any;
    /** The content's position when the element's bar was dragged to `top`: the inverse of `toElement`. */
    toContent(top: any): any;
}
