/** A scroll view whose content may be higher than a browser's element; a subclass draws it. */
export class TallScrollView extends ScrollView {
    /** The row that a scroll which code began leads to. */
    /** How high the content is. */
    /** Goes to a row, whose position heights may move that are learned on the way. */
    /** Scrolls without the reader's seeing it, and without stopping content that is in motion. */
    #private;
}
import { ScrollView } from "./ScrollView.js";
import { ScrollMapping } from "./ScrollMapping.js";
