/** The titles of a table's sections, to jump by: `<index-bar>`. `value` is a title's number. */
export class IndexBar extends Control {
    static tag: string;
    role: string | undefined;
    set titles(arg: any[]);
    get titles(): any[];
    set value(arg: number);
    get value(): number;
    /** Shows as many of the titles as a height has room for. */
    draw(height: any): void;
    continueTracking({ clientY }: {
        clientY: any;
    }): boolean;
    #private;
}
import { Control } from "./Control.js";
