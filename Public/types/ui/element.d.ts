/** Registers a class under its `tag`, or another name where another copy of it has that one. */
export function define(type: any): void;
/** Gives a class properties that its elements keep in `data-` attributes. */
export function reflect(type: any, initial: any): void;
/**
 * Makes an element; texts in it stay texts.
 *
 * @param {string} name
 * @param {Record<string, string>} [attributes]
 *
 * @param {...(string | Node | (string | Node)[])} content
 * @returns {HTMLElement}
 */
export function el(name: string, attributes?: Record<string, string> | undefined, ...content: (string | Node | (string | Node)[])[]): HTMLElement;
/** An element that is registered when the first one is made. */
export class UIElement extends HTMLElement {
}
