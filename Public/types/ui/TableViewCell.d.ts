/** A row of a table: `<table-view-cell>`. An app's own is a subclass with a name of its own. */
export class TableViewCell extends UIElement {
    static tag: string;
    cellStyle: string;
    accessory: string;
    isSelected: boolean;
    isHighlighted: boolean;
    /** The kind that it was registered for. */
    reuseIdentifier: string;
    contentView: HTMLDivElement;
    textLabel: HTMLSpanElement;
    detailTextLabel: HTMLSpanElement;
    imageView: HTMLImageElement;
    indexPath: import("./TableLayout.js").IndexPath | null;
    connectedCallback(): void;
    /** Resets the cell before it shows another row. */
    prepareForReuse(): void;
}
import { UIElement } from "./page.js";
