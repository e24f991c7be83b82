import { IndexedCollation, TableView } from "../../ui.js";

const names = ["Åsa", "Ada", "Ärla", "Bo", "Carl", "Öyvind", "Erik", "Éva", "Frida", "Gösta",
  "Hedvig", "Ingrid", "김민준", "Jörg", "Karin", "Lars", "Maja", "Nils", "Olof", "Per", "Rut",
  "Sven", "Tove", "Ulf", "Vera", "Ylva", "Åke", "42"];

export function run(place) {
  const collation = new IndexedCollation("sv");
  const sections = collation.sectionTitles.map((title, number) => ({
    title,
    names: collation.sortedArray(names.filter((name) => collation.section(name) === number)),
  })).filter((section) => section.names.length > 0);
  const table = new TableView();
  table.ariaLabel = "Names";
  table.dataSource = {
    numberOfSections: () => sections.length,
    numberOfRows: (section) => sections[section].names.length,
    titleForHeader: (section) => sections[section].title,
    sectionIndexTitles: () => sections.map(({ title }) => title),
    cell({ section, row }) {
      const cell = table.dequeueReusableCell("name");
      cell.textLabel.textContent = sections[section].names[row];
      return cell;
    },
  };
  place.append(table);
}
