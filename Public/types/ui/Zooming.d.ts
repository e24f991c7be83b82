/**
 * Shows the element that a scroll view's delegate has for that larger or smaller, over the
 * browser's own scrolling. The code of it comes for views whose two limits differ. */
export class Zooming {
    constructor(view: import("./ScrollView.js").ScrollView);
    /** How much larger it is, or is about to be. */
    scale: number;
    /** Whether it comes back from past a limit. */
    isBouncing: boolean;
    pinch: PinchGestureRecognizer;
    /** Finds out what there is to zoom. Where there is nothing the browser magnifies the page. */
    arm(): void;
    /** Shows it at a scale; the middle of what is in sight stays there. */
    setScale(scale: number, animated: boolean): void;
    /** Has a part of it fill the view. */
    show({ x, y, width, height }: {
        x: number;
        y: number;
        width: number;
        height: number;
    }, animated: boolean): void;
    /** The nearest scale within the limits. */
    within(scale: number): number;
    /** The point of it that is at a place in the window. */
    point(place: {
        x: number;
        y: number;
    }): {
        x: number;
        y: number;
    };
    begin(): void;
    stop(): void;
    /** Has fingers show it at a scale, with a point of it where they are. */
    follow(scale: number, point: {
        x: number;
        y: number;
    }, place: {
        x: number;
        y: number;
    }): void;
    /** The fingers are gone: it comes back to where it may be. */
    settle(point: {
        x: number;
        y: number;
    }, place: {
        x: number;
        y: number;
    }): void;
    /** Moves a point of it to a place in the window, or as near to that as its ends let it. */
    move(scale: number, point: {
        x: number;
        y: number;
    }, place: {
        x: number;
        y: number;
    }, animated: boolean): void;
    #private;
}
/** What two fingers, a wheel with the control key (a trackpad's pinch) and keys do: zoom. */
export class PinchGestureRecognizer {
    constructor(view: import("./ScrollView.js").ScrollView, zooming: Zooming);
    /** possible, began, changed, ended, cancelled or failed */
    state: string;
    /** How far apart the fingers are, as a multiple of how far they were. */
    scale: number;
    set isEnabled(arg: boolean);
    get isEnabled(): boolean;
    /** Whether fingers are zooming. */
    get isZooming(): boolean;
    /** Takes pinches from the browser, or leaves them to it. */
    listen(canZoom: boolean): void;
    #private;
}
