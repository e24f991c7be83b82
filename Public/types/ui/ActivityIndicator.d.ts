/** A wheel that turns while something is under way: `<activity-indicator>`. */
export class ActivityIndicator extends UIElement {
    hidesWhenStopped: boolean;
    indicatorStyle: string;
    isAnimating: boolean;
    static tag: string;
    connectedCallback(): void;
    startAnimating(): void;
    stopAnimating(): void;
}
import { UIElement } from "./element.js";
