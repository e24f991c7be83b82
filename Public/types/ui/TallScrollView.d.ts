/** A scroll view whose content may be higher than a browser's element; a subclass draws it. */
export class TallScrollView extends ScrollView {
    /** The row that a scroll which code began leads to. */
    scrollTarget: null;
    mapping: ScrollMapping;
    /** How high the content is. */
    set contentLength(arg: any);
    /** Goes to a row, whose position heights may move that are learned on the way. */
    scrollToward(path: any, go: any, animated: any): void;
    /** Scrolls without the reader's seeing it, and without stopping content that is in motion. */
    shiftBy(distance: any): void;
    #private;
}
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
import { ScrollView } from "./ScrollView.js";
