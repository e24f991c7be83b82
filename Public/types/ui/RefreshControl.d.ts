/** What a pull at the top of a scroll view reveals and starts: `<refresh-control>`. */
export class RefreshControl extends Control {
    static tag: string;
    /** What a screen reader hears when it begins. */
    refreshingLabel: string;
    /** The height that it takes now. */
    get occupiedHeight(): number;
    get isRefreshing(): boolean;
    set attributedTitle(arg: string | null);
    /** Words below the wheel. */
    get attributedTitle(): string | null;
    set tintColor(arg: string);
    /** The colour of the wheel. */
    get tintColor(): string;
    /** Starts it from code: nothing is sent. */
    beginRefreshing(): void;
    /**
     * Ends it, without a jump; what a finger began is seen until it lets go, and for half a second.
     * `outcome` is announced: "3 new, 1 changed". */
    endRefreshing(outcome?: string): void;
    /** Nothing of it is seen any more, once it may be so. */
    handleRelease(): void;
    /** The view is pulled so far. */
    handlePull(distance: number): void;
    #private;
}
/** A wheel that turns while something is under way: `<activity-indicator>`. */
export class ActivityIndicator extends UIElement {
    static tag: string;
    hidesWhenStopped: boolean;
    indicatorStyle: string;
    isAnimating: boolean;
    connectedCallback(): void;
    startAnimating(): void;
    stopAnimating(): void;
}
import { Control } from "./Control.js";
import { UIElement } from "./page.js";
