import { reflect, UIElement } from "./page.js";

/** A row of a table: `<table-view-cell>`. An app's own is a subclass with a name of its own. */
export class TableViewCell extends UIElement {
  static tag = "table-view-cell";
  /** The kind that it was registered for. */
  reuseIdentifier = "";
  contentView = document.createElement("div");
  textLabel = document.createElement("span");
  detailTextLabel = document.createElement("span");
  imageView = document.createElement("img");
  indexPath = null;

  constructor() {
    super();
    const { contentView: content, textLabel, detailTextLabel, imageView } = this;
    content.className = "ui-cell";
    content.role = "gridcell";
    detailTextLabel.className = "ui-detail";
    textLabel.dir = detailTextLabel.dir = "auto";
    imageView.alt = "";
    content.append(imageView, textLabel, detailTextLabel);
  }

  connectedCallback() {
    this.role = "row";
    this.classList.add("ui-row");
    if (this.contentView.parentNode !== this) {
      if (this.childNodes.length > 0) this.contentView.replaceChildren(...this.childNodes);
      this.append(this.contentView);
    }
  }

  /** Resets the cell before it shows another row. */
  prepareForReuse() {
    this.isHighlighted = this.isSelected = false;
  }
}

reflect(TableViewCell, {
  cellStyle: "subtitle", accessory: "none", isSelected: false, isHighlighted: false,
});