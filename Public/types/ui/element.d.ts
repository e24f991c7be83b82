/** Registers a class under its `tag`, or another name where another copy of it has that one. */
export function define(type: any): void;
/** Gives a class properties that its elements keep in `data-` attributes. */
export function reflect(type: any, initial: any): void;
/** An element that is registered when the first one is made. */
export class UIElement extends HTMLElement {
}
