import { TableView, TableViewCell } from "../../ui.js";

const cell = (cellStyle, text, detail, accessory = "none") => {
  const made = new TableViewCell();
  Object.assign(made, { cellStyle, accessory });
  made.textLabel.textContent = text;
  made.detailTextLabel.textContent = detail;
  return made;
};

export function run(place) {
  const table = new TableView();
  table.ariaLabel = "Settings";
  table.setStaticSections([
    { title: "Styles", cells: [
      cell("basic", "Basic", ""),
      cell("subtitle", "Subtitle", "A line below"),
      cell("value1", "Value", "42"),
    ] },
    { title: "Accessories", cells: [
      cell("basic", "There is more", "", "disclosureIndicator"),
      cell("basic", "Chosen", "", "checkmark"),
    ] },
  ]);
  place.append(table);
}
