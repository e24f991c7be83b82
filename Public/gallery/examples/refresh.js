import { RefreshControl, TableView } from "../../ui.js";

export function run(place) {
  const times = [new Date()];
  const table = new TableView();
  table.ariaLabel = "Times";
  table.dataSource = {
    numberOfRows: () => times.length,
    cell({ row }) {
      const cell = table.dequeueReusableCell("time");
      cell.textLabel.textContent = times[row].toLocaleTimeString();
      return cell;
    },
  };
  const control = new RefreshControl();
  const refresh = async () => {
    await new Promise((done) => { setTimeout(done, 800); });
    times.unshift(new Date());
    table.reloadData();
    control.endRefreshing("1 new");
  };
  control.addTarget(null, refresh, "valueChanged");
  table.refreshControl = control;
  const button = document.createElement("button");
  button.textContent = "Refresh";
  button.onclick = () => {
    control.beginRefreshing();
    refresh();
  };
  place.append(button, table);
}
