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
