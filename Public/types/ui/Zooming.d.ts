/**
 * Shows the element that a scroll view's delegate has for that larger or smaller, over the
 * browser's own scrolling. The code of it comes for views whose two limits differ.
 */
export class Zooming {
    /**
   * @param {import("./ScrollView.js").ScrollView} view */
    constructor(view: import("./ScrollView.js").ScrollView);
    /** How much larger it is, or is about to be. */
    scale: number;
    /** Whether it comes back from past a limit. */
    isBouncing: boolean;
    pinch: PinchGestureRecognizer;
    /** Finds out what there is to zoom. Where there is nothing the browser magnifies the page. */
    arm(): void;
    /** Shows it at a scale; the middle of what is in sight stays there. */
    setScale(scale: any, animated: any): void;
    /** Has a part of it fill the view. */
    show({ x, y, width, height }: {
        x: any;
        y: any;
        width: any;
        height: any;
    }, animated: any): void;
    /** The nearest scale within the limits. */
    within(scale: any): number;
    /** The point of it that is at a place in the window. */
    point(place: any): {
        x: number;
        y: number;
    };
    begin(): void;
    stop(): void;
    /** Has fingers show it at a scale, with a point of it where they are. */
    follow(scale: any, point: any, place: any): void;
    /** The fingers are gone: it comes back to where it may be. */
    settle(point: any, place: any): void;
    /** Moves a point of it to a place in the window, or as near to that as its ends let it. */
    move(scale: any, point: any, place: any, animated: any): void;
    #private;
}
/** What two fingers, a wheel with the control key (a trackpad's pinch) and keys do: zoom. */
export class PinchGestureRecognizer {
    /**
   * @param {import("./ScrollView.js").ScrollView} view */
    constructor(view: import("./ScrollView.js").ScrollView, zooming: any);
    /** possible, began, changed, ended, cancelled or failed */
    state: string;
    /** How far apart the fingers are, as a multiple of how far they were. */
    scale: number;
    set isEnabled(arg: boolean);
    get isEnabled(): boolean;
    /** Whether fingers are zooming. */
    get isZooming(): boolean;
    /** Takes pinches from the browser, or leaves them to it. */
    listen(canZoom: any): void;
    #private;
}
