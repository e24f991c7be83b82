/**
 * Registers an element's class under its `tag`, once; under another name where another copy of
 * these files has that one. Where there is no page it does nothing.
 *
 * @param {Function & {tag?: string}} type
 */
export function define(type: Function & {
    tag?: string;
}): void;
/** An element that is registered when the first one is made; a module that has it does nothing. */
export class UIElement extends HTMLElement {
}
