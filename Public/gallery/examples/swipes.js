import { announce, IndexPath, TableView } from "../../ui.js";

export function run(place) {
  const mails = ["Ada: Lunch?", "Bo: The plan", "Cleo: Photos", "Dan: Invoice"];
  const table = new TableView();
  table.ariaLabel = "Mail";
  const remove = (row) => {
    announce(`Deleted ${mails.splice(row, 1)}`);
    table.deleteRows([new IndexPath(row)]);
  };
  table.dataSource = {
    numberOfRows: () => mails.length,
    cell({ row }) {
      const cell = table.dequeueReusableCell("mail");
      cell.textLabel.textContent = mails[row];
      return cell;
    },
  };
  table.delegate = {
    trailingSwipeActionsConfiguration: ({ row }) => ({
      actions: [{ title: "Delete", style: "destructive", handler: () => remove(row) }],
    }),
  };
  table.addEventListener("keydown", ({ key }) => {
    const [path] = table.indexPathsForSelectedRows;
    if (key === "Delete" && path) remove(path.row);
  });
  place.append(table);
}
