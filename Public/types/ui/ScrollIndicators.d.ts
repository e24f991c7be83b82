/** The offset nearest to one at which a part of the content lies between two lines of the view. */
export function nearestOffset(offset: any, start: any, size: any, from: any, to: any): number;
/** The bars of a scroll view, where the browser lets a page say something of them. */
export class ScrollIndicators {
    /**
   * @param {HTMLElement} view */
    constructor(view: HTMLElement);
    /** The room at a bar's ends.
   * @param {"vertical" | "horizontal"} bar */
    insets(bar: "vertical" | "horizontal"): {
        top: number;
        left: number;
        bottom: number;
        right: number;
    } | {
        top: number;
        left: number;
        bottom: number;
        right: number;
    };
    setInsets(bar: any, sides: any): void;
    /** Shows the view's own bars more clearly for a moment. */
    flash(): void;
    #private;
}
