import { Control } from "./Control.js";

/** The titles of a table's sections at its side, to jump by: `<index-bar>`. */
export class IndexBar extends Control {}

customElements.define("index-bar", IndexBar);
