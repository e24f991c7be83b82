import { TableView } from "../../ui.js";

export function run(place) {
  const table = new TableView();
  table.ariaLabel = "100,000 rows";
  table.dataSource = {
    numberOfSections: () => 100,
    numberOfRows: () => 1000,
    titleForHeader: (section) => `Section ${section + 1}`,
    cell({ section, row }) {
      const cell = table.dequeueReusableCell("plain");
      cell.textLabel.textContent = `Row ${section * 1000 + row + 1}`;
      return cell;
    },
  };
  place.append(table);
}
