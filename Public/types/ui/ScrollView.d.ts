/** The offset nearest to one at which a part of the content lies between two lines of the view. */
export function nearestOffset(offset: number, start: number, size: number, from: number, to: number): number;
/**
 * A view over content larger than itself, which the browser scrolls: `<scroll-view>`. What is in it
 * becomes part of its `contentView`. Its properties and those of its delegate: docs/UI.md. */
export class ScrollView extends UIElement {
    static tag: string;
    static observedAttributes: string[];
    isPagingEnabled: boolean;
    bounces: boolean;
    alwaysBounceVertical: boolean;
    alwaysBounceHorizontal: boolean;
    scrollsToTop: boolean;
    showsVerticalScrollIndicator: boolean;
    showsHorizontalScrollIndicator: boolean;
    indicatorStyle: string;
    contentInsetAdjustmentBehavior: string;
    keyboardDismissMode: string;
    canCancelContentTouches: boolean;
    delaysContentTouches: boolean;
    indexDisplayMode: string;
    restorationIdentifier: string;
    isDirectionalLockEnabled: boolean;
    decelerationRate: number;
    automaticallyAdjustsScrollIndicatorInsets: boolean;
    minimumZoomScale: number;
    maximumZoomScale: number;
    bouncesZoom: boolean;
    /** What the content is in. */
    contentView: HTMLDivElement;
    panGestureRecognizer: PanGestureRecognizer;
    /** Of the arrow keys. */
    directionalPressGestureRecognizer: {
        isEnabled: boolean;
    };
    connectedCallback(): void;
    disconnectedCallback(): void;
    attributeChangedCallback(): void;
    set delegate(arg: import("./protocols.js").ScrollViewDelegate | null);
    get delegate(): import("./protocols.js").ScrollViewDelegate | null;
    set contentSize(arg: {
        width: number;
        height: number;
    });
    /** The size of the content, which gives the ends. */
    get contentSize(): {
        width: number;
        height: number;
    };
    set contentOffset(arg: { x?: number; y?: number });
    /** The point of the content at the view's upper left corner: at an inset of 50, (0, -50). */
    get contentOffset(): {
        x: number;
        y: number;
    };
    /** Moves it to its ends at most. */
    setContentOffset({ x, y }: {
        x?: number | undefined;
        y?: number | undefined;
    }, animated?: boolean): void;
    set contentInset(arg: { top?: number; left?: number; bottom?: number; right?: number });
    /** Room around the content, in pixels. Changing it leaves the content where it is. */
    get contentInset(): {
        top: number;
        left: number;
        bottom: number;
        right: number;
    };
    set position(arg: number);
    /** How far the content's start is above the view's, without a pull. */
    get position(): number;
    /** The inset, and what the safe area of the display adds. */
    get adjustedContentInset(): {
        top: number;
        left: number;
        bottom: number;
        right: number;
    };
    set verticalScrollIndicatorInsets(arg: { top?: number; left?: number; bottom?: number; right?: number });
    /** Room at the ends of the bars, where the browser lets a page say so. */
    get verticalScrollIndicatorInsets(): {
        top: number;
        left: number;
        bottom: number;
        right: number;
    };
    set horizontalScrollIndicatorInsets(arg: { top?: number; left?: number; bottom?: number; right?: number });
    get horizontalScrollIndicatorInsets(): {
        top: number;
        left: number;
        bottom: number;
        right: number;
    };
    flashScrollIndicators(): void;
    /** For a subclass: the inset or the safe area changed. */
    adjustedContentInsetDidChange(): void;
    /** Where the view is in the window. */
    get frameLayoutGuide(): DOMRect;
    /** Where the content is in the window. */
    get contentLayoutGuide(): DOMRect;
    set refreshControl(arg: import("./RefreshControl.js").RefreshControl | null);
    /** None is here that is another view's by now. */
    get refreshControl(): import("./RefreshControl.js").RefreshControl | null;
    set isScrollEnabled(arg: boolean);
    /** Whether fingers scroll it; to forbid that ends a drag. */
    get isScrollEnabled(): boolean;
    /** Whether a finger is down. */
    get isTracking(): boolean;
    /** Whether it moves the content. */
    get isDragging(): boolean;
    /** Whether the content goes on without it. */
    get isDecelerating(): boolean;
    /** For a subclass: whether a control in the content may follow a touch. */
    touchesShouldBegin(_event: Event, _control: Element): boolean;
    /** Whether a scroll may take a touch from an element: not from what a finger operates. */
    touchesShouldCancel(element: Element | null): boolean;
    set zoomScale(arg: number);
    /** How much larger the delegate's view for zooming is shown. */
    get zoomScale(): number;
    setZoomScale(scale: number, animated?: boolean): void;
    /** Has a part of that view fill this one. `rect`: in that view's terms. */
    zoom(rect: {
        x: number;
        y: number;
        width: number;
        height: number;
    }, animated?: boolean): void;
    /** Whether fingers make it larger or smaller. */
    get isZooming(): boolean;
    /** Whether it comes back from past a limit. */
    get isZoomBouncing(): boolean;
    get pinchGestureRecognizer(): import("./Zooming.js").PinchGestureRecognizer | null;
    /** Moves as little as shows a part. */
    scrollRectToVisible({ x, y, width, height }: {
        x?: number | undefined;
        y?: number | undefined;
        width?: number | undefined;
        height?: number | undefined;
    }, animated?: boolean): void;
    /** What to keep of where it is; a subclass knows more. */
    encodeRestorableState(): any;
    /** Goes back to where it was: whether the content is there for it. */
    decodeRestorableState({ x, y, scale }: any): boolean;
    /** The element that the keyboard gets to. */
    get focusTarget(): HTMLElement;
    get maximumPosition(): number;
    /** The part of the inset at the top that is there only while something refreshes. */
    get temporaryInset(): number;
    /** Scrolls; what is undefined stays. */
    scrollToPosition(top: number | undefined, animated: boolean, left?: number | undefined): void;
    maximumOffset(axis: "x" | "y"): number;
    /** Whether content that a finger moves down or right (above 0), or up or left, is at its end. */
    isAtEnd(direction: number, axis?: "x" | "y"): boolean;
    handleScroll(): void;
    offsetDidChange(): void;
    dragWillBegin(): void;
    zoomWillBegin(element: HTMLElement | null): void;
    dragDidEnd(willDecelerate: boolean): void;
    handleScrollEnd(): void;
    handleResize(): void;
    handleKey(event: KeyboardEvent): void;
    restoreState(): void;
    #private;
}
/** Keeps where a scroll view is, under its restoration identifier, and goes back there. */
export class Restoration {
    constructor(view: import("./ScrollView.js").ScrollView);
    /** Whether it is where it was, or has gone elsewhere since. */
    isOver: boolean;
    save: () => void;
    /** Goes to where it was when the page went away, once there is such a place. */
    restore(): void;
    #private;
}
/** The bars of a scroll view, where the browser lets a page say something of them. */
export class ScrollIndicators {
    constructor(view: import("./ScrollView.js").ScrollView);
    /** The room at a bar's ends. */
    insets(bar: "vertical" | "horizontal"): {
        top: number;
        left: number;
        bottom: number;
        right: number;
    };
    setInsets(bar: "vertical" | "horizontal", sides: {
        top?: number;
        left?: number;
        bottom?: number;
        right?: number;
    }): void;
    /** Shows the view's own bars more clearly for a moment. */
    flash(): void;
    #private;
}
/** A scroll view whose content may be higher than a browser's element; a subclass draws it. */
export class TallScrollView extends ScrollView {
    /** The row that a scroll which code began leads to. */
    scrollTarget: import("./TableLayout.js").IndexPath | null;
    mapping: ScrollMapping;
    /** For a subclass: shows what is in sight. */
    layOut(): void;
    /** How high the content is. */
    set contentLength(arg: number);
    /** Goes to a row, whose position heights may move that are learned on the way. */
    scrollToward(path: import("./TableLayout.js").IndexPath, go: (path: import("./TableLayout.js").IndexPath, animated: boolean) => void, animated: boolean): void;
    /** Scrolls without the reader's seeing it, and without stopping content that is in motion. */
    shiftBy(distance: number): void;
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
    toElement(position: number): number;
    /** The content's position when the element's bar was dragged to `top`: the inverse of `toElement`. */
    toContent(top: number): number;
}
import { UIElement } from "./page.js";
import { PanGestureRecognizer } from "./PanGestureRecognizer.js";
