/** Registers a class under its `tag`, or another name where another copy of it has that one. */
export function define(type: typeof UIElement & {
    tag?: string;
}): void;
/** Gives a class properties that its elements keep in `data-` attributes. */
export function reflect(type: typeof UIElement, initial: Record<string, string | number | boolean>): void;
/** Makes an element; texts in it stay texts. */
export function el(name: string, attributes?: Record<string, string>, ...content: (string | Node | (string | Node)[])[]): HTMLElement;
/** Returns what a node is shown in, also where that is another tree: a slot, or the host of a shadow root. */
export function around(node: Element): Element;
/** Has a screen reader say something, when it has said what it is saying. */
export function announce(words: string): void;
/** Returns the text that was saved under a name; until the tab is closed, unless it is said where. */
export function load(name: string, where?: () => Storage): string | null;
/** Returns the value whose JSON was saved under a name; null where that is none. */
export function loadValue(name: string, where?: () => Storage): unknown;
/** Saves a text under a name. Returns whether it is kept: else it is asked for again. */
export function save(name: string, text: string, where?: () => Storage): boolean;
/** Whether the reader asked for less motion. */
export function prefersReducedMotion(): boolean;
/** An element that is registered when the first one is made. */
export class UIElement extends HTMLElement {
}
