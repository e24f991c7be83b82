/** A row of a table: `<table-view-cell>`. An app's own is a subclass with a name of its own. */
export class TableViewCell extends UIElement {
    cellStyle: string;
    accessory: string;
    isSelected: boolean;
    isHighlighted: boolean;
    static tag: string;
    /**
   * @type {string} what it was registered for */
    reuseIdentifier: string;
    contentView: HTMLDivElement;
    textLabel: HTMLSpanElement;
    detailTextLabel: HTMLSpanElement;
    imageView: HTMLImageElement;
    /**
   * @type {?import("./TableLayout.js").IndexPath} */
    indexPath: import("./TableLayout.js").IndexPath | null;
    connectedCallback(): void;
    role: string | undefined;
    /** Before the cell shows another row. */
    prepareForReuse(): void;
}
import { UIElement } from "./page.js";
