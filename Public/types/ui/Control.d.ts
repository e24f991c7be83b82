export namespace ControlState {
    const normal: number;
    const highlighted: number;
    const disabled: number;
    const selected: number;
    const focused: number;
}
/**
 * The base of what a person operates; it is never used by itself. Events (docs/UI.md) go to the
 * targets that were added for them, and are DOM events too. */
export class Control extends UIElement {
    isHighlighted: boolean;
    contentHorizontalAlignment: string;
    contentVerticalAlignment: string;
    /** The bits of `ControlState`. */
    get state(): number;
    set isEnabled(arg: boolean);
    /** Whether it tracks and sends. */
    get isEnabled(): boolean;
    set isSelected(arg: boolean);
    /** Whether it is chosen; a screen reader hears that in the way of what it is. */
    get isSelected(): boolean;
    /** A button that the Tab key reaches, unless a subclass or the page says otherwise. */
    connectedCallback(): void;
    disconnectedCallback(): void;
    /** Whether it follows a finger or a button of the mouse. */
    get isTracking(): boolean;
    /** Whether what it follows is within its bounds. */
    get isTouchInside(): boolean;
    /**
     * Has events call an action (a method's name, or a function) with the sender and the event. */
    addTarget(target: object | null, action: string | ((sender: Control, event: Event | null) => void), events: string | string[]): void;
    /** Ends what `addTarget` began: null stands for all targets, actions or events. */
    removeTarget(target?: object | null, action?: string | ((sender: Control, event: Event | null) => void) | null, events?: string | string[] | null): void;
    /** Null stands for the responder chain. */
    get allTargets(): Set<object | null>;
    get allControlEvents(): Set<string>;
    /** The actions that a target has for an event. */
    actions(target: object | null, event: string): (string | ((sender: Control, event: Event | null) => void))[];
    /** Sends one action; a subclass may watch or change what is sent. */
    sendAction(action: string | ((sender: Control, event: Event | null) => void), target: object | null, event: Event | null): void;
    /** Sends every action that is registered for these events. */
    sendActions(events: string | string[], event?: Event | null): void;
    /** A finger or button went down: whether to follow it. */
    beginTracking(_event: PointerEvent): boolean;
    /** It moved: whether to go on. */
    continueTracking(_event: PointerEvent): boolean;
    /** It was let go. */
    endTracking(_event: PointerEvent | null): void;
    /** Something else took it over. */
    cancelTracking(_event: PointerEvent | null): void;
    /** For a scroll view: it takes the finger that this follows. */
    cancelTouch(): void;
    /** Where it is in the window. */
    get accessibilityFrame(): DOMRect;
    /** Enter and the space bar do what a tap does. */
    handleKey(event: KeyboardEvent): void;
    #private;
}
/** The titles of a table's sections, to jump by: `<index-bar>`. `value` is a title's number. */
export class IndexBar extends Control {
    static tag: string;
    set titles(arg: string[]);
    get titles(): string[];
    set value(arg: number);
    get value(): number;
    /** Shows as many of the titles as a height has room for. */
    draw(height: number): void;
    continueTracking({ clientY }: {
        clientY: number;
    }): boolean;
    #private;
}
import { UIElement } from "./page.js";
