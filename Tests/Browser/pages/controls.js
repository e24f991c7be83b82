import * as ui from "/ui.js";

Object.assign(window, ui);

/** A table of so many sections of rows, told apart by their words. */
window.makeTable = (counts, options = {}) => {
  const table = new ui.TableView();
  table.className = "whole";
  table.ariaLabel = "Rows";
  Object.assign(table, options);
  table.dataSource = {
    made: 0,
    numberOfSections: () => counts.length,
    numberOfRows: (section) => counts[section],
    titleForHeader: (section) => (counts.length > 1 ? `Section ${section}` : null),
    cell({ section, row }, view) {
      const cell = view.dequeueReusableCell(row % 3 === 0 ? "third" : "plain");
      cell.textLabel.textContent = `Row ${section}.${row}`;
      cell.detailTextLabel.textContent = row % 3 === 0 ? "with a line below it" : "";
      return cell;
    },
  };
  document.body.replaceChildren(table);
  return table;
};

/** A refresh control in a view, which counts what it sends. */
window.withRefresh = (view) => {
  window.sent = 0;
  view.refreshControl = new ui.RefreshControl();
  view.refreshControl.addTarget(null, () => { window.sent += 1; }, "valueChanged");
  return view.refreshControl;
};

window.ready = Promise.resolve();
