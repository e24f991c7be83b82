/**
 * Shows a motion that becomes slower and slower by what is left of it, from 1 to 0; to those who
 * asked for less motion its end at once. Returns what stops it. */
export function decelerate(duration: number, show: (left: number) => void): () => void;
/** How far content moves past its end for a finger that went further, in a view of an extent. */
export function rubberBand(pulled: number, extent: number): number;
/** How far a finger went for the content to have moved so: the inverse of `rubberBand`. */
export function rubberBandPull(distance: number, extent: number): number;
/**
 * What a finger does to a scroll view. The browser scrolls by it, and tells of it now and then;
 * past the ends content follows it less and less, and comes back when it lets go. */
export class PanGestureRecognizer {
    constructor(view: import("./ScrollView.js").ScrollView);
    /** possible, began, changed, ended, cancelled or failed */
    state: string;
    /** Whether the content goes on without it. */
    isDecelerating: boolean;
    /** The direction in which content is past its end: x or y. */
    axis: "x" | "y";
    /** How far it is below or right of its place (negative: above, left), in pixels. */
    distance: number;
    /** Whether the finger holds it there. */
    isPulling: boolean;
    /** How many touches there were, this one among them: fingers that are down together are one. */
    touchCount: number;
    /** The way that a touch took first, to which it keeps: x or y; null while it took none. */
    direction: "x" | "y" | null;
    /** Whether a touch belongs to what else scrolls or pulls below the finger: that is decided once. */
    isTaken: boolean;
    set isEnabled(arg: boolean);
    get isEnabled(): boolean;
    get isTracking(): boolean;
    get isDragging(): boolean;
    /** How far the finger has gone, in pixels. */
    translation(): {
        x: number;
        y: number;
    };
    /** How fast it was when it was last heard of, in pixels a second. */
    velocity(): {
        x: number;
        y: number;
    };
    /** The content moved: by the finger, if that did. Code moves it, too, and so does a flick before. */
    scrolled(): void;
    /** The finger moves the content, or is to. */
    begin(): void;
    /** Ends a drag: the content comes to rest by itself, and what its fingers do yet is ignored. */
    cancel(): void;
    /** Ends what a finger left in motion: the browser would go on from where code scrolls to. */
    halt(scroll: () => void): void;
    /** Listens to fingers while they could pull. */
    arm(): void;
    /** Lets the content go: it comes back to its place, unless a finger holds it. */
    settle(): void;
    /** Has content that comes back from past an end be at its place at once. */
    endSettling(): void;
    /** The finger stays where it is while the content's place moves, up by `distance` from it. */
    rebase(distance: number): void;
    /** Has a flick end at a page beside the finger: a browser that foresees it past one would turn two. */
    markPages(): void;
    #private;
}
