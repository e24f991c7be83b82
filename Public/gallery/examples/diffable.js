import { DiffableDataSource, DiffableDataSourceSnapshot, TableView } from "../../ui.js";

const fruit = ["Apple", "Apricot", "Cherry", "Fig", "Grape", "Lemon", "Mango", "Peach", "Plum"];

export function run(place) {
  const table = new TableView();
  table.ariaLabel = "Fruit";
  const source = new DiffableDataSource(table, (_, path, item) => {
    const cell = table.dequeueReusableCell("fruit", path);
    cell.textLabel.textContent = item;
    return cell;
  });
  const show = (items) => {
    const snapshot = new DiffableDataSourceSnapshot();
    snapshot.appendSections(["all"]);
    snapshot.appendItems(items);
    source.apply(snapshot);
  };
  const button = document.createElement("button");
  button.textContent = "Another list";
  button.onclick = () => show(fruit.filter(() => Math.random() < 0.6)
    .sort(() => Math.random() - 0.5));
  place.append(button, table);
  show(fruit);
}
