import { say, translatePage } from "../pageTexts.js";
import { el } from "../ui/page.js";
import * as classes from "../ui.js";
import {
  ActivityIndicator, announce, Control, ControlState, DiffableDataSource,
  DiffableDataSourceSnapshot, IndexedCollation, IndexPath, RefreshControl, RefreshingScrollView,
  ScrollView, TableView, TableViewCell,
} from "../ui.js";

/** Shows every example: what it makes, and the code that made it. */
async function showGallery(contents, place) {
  for (const { id, title, text, run } of examples) {
    const section = el("section", { id }, el("h2", {}, title), el("p", {}, say(text)));
    const stage = el("div", { class: "stage" });
    const shown = el("pre", { tabindex: "0", role: "group" }, el("code", {}, codeOf(run)));
    shown.ariaLabel = say("The code of {title}", { title });
    section.append(el("div", { class: "example" }, stage, shown));
    place.append(section);
    contents.append(el("a", { href: `#${id}` }, title));
    await run(stage);
  }
  document.documentElement.dataset.ready = "";
}

/** Returns an example's code as that of a module: with what it takes from `ui.js`. */
function codeOf(run) {
  const text = String(run).replace(/^ {4}/gm, "");
  const used = Object.keys(classes).filter((name) => new RegExp(`\\b${name}\\b`).test(text));
  return `import { ${used.join(", ")} } from "./ui.js";\n\nexport function ${text}\n`;
}

/** What the gallery shows, in order: each example makes something in a place, and is shown with its code. */
const examples = [
  {
    id: "table", title: "TableView",
    text: "Rows that are made when they are in sight: here 100,000. Arrow keys move, Enter selects.",
    run(place) {
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
    },
  },
  {
    id: "cells", title: "TableViewCell",
    text: "The styles of a cell, in a static table.",
    run(place) {
      const cell = (cellStyle, text, detail, accessory = "none") => {
        const made = new TableViewCell();
        Object.assign(made, { cellStyle, accessory });
        made.textLabel.textContent = text;
        made.detailTextLabel.textContent = detail;
        return made;
      };
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
    },
  },
  {
    id: "diffable", title: "DiffableDataSource, DiffableDataSourceSnapshot",
    text: "A list is given whole; what differs comes, goes and moves.",
    run(place) {
      const fruit = ["Apple", "Apricot", "Cherry", "Fig", "Grape", "Lemon", "Mango", "Peach", "Plum"];
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
    },
  },
  {
    id: "collation", title: "IndexedCollation, IndexBar",
    text: "Names under their letters, as their language has them. Drag along the letters.",
    run(place) {
      const names = ["Åsa", "Ada", "Ärla", "Bo", "Carl", "Öyvind", "Erik", "Éva", "Frida", "Gösta",
        "Hedvig", "Ingrid", "김민준", "Jörg", "Karin", "Lars", "Maja", "Nils", "Olof", "Per", "Rut",
        "Sven", "Tove", "Ulf", "Vera", "Ylva", "Åke", "42"];
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
    },
  },
  {
    id: "swipes", title: "Swipe actions, IndexPath",
    text: "A finger swipes a row; keys do the same.",
    run(place) {
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
    },
  },
  {
    id: "refresh", title: "RefreshControl",
    text: "Pull the list down with a finger, or press the button.",
    run(place) {
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
    },
  },
  {
    id: "refreshing", title: "RefreshingScrollView",
    text: "A look of one’s own: the header sticks, the wheel is below it.",
    run(place) {
      const view = new RefreshingScrollView();
      view.ariaLabel = "Notes";
      view.header.textContent = "Notes";
      const list = document.createElement("ol");
      const add = (note) => {
        const row = document.createElement("li");
        row.textContent = note;
        list.prepend(row);
      };
      for (let note = 1; note <= 20; note += 1) add(`Note ${note}`);
      view.append(list);
      view.request = async () => {
        await new Promise((done) => { setTimeout(done, 800); });
        return `Note ${list.children.length + 1}`;
      };
      view.delegate = { needsRefresh: add };
      const button = document.createElement("button");
      button.textContent = "Refresh";
      button.onclick = () => view.refresh();
      place.append(button, view);
    },
  },
  {
    id: "scroll", title: "ScrollView",
    text: "Pages, from side to side.",
    run(place) {
      const view = new ScrollView();
      view.ariaLabel = "Pages";
      view.isPagingEnabled = true;
      view.contentView.classList.add("pages");
      for (const name of ["One", "Two", "Three", "Four"]) {
        const page = document.createElement("p");
        page.textContent = name;
        view.contentView.append(page);
      }
      const button = document.createElement("button");
      button.textContent = "Next page";
      button.onclick = () => {
        const { x } = view.contentOffset;
        const isLast = x + 2 * view.clientWidth > view.contentSize.width + 1;
        view.setContentOffset({ x: isLast ? 0 : x + view.clientWidth, y: 0 }, true);
      };
      place.append(button, view);
    },
  },
  {
    id: "zoom", title: "ScrollView: zooming",
    text: "Two fingers, a double tap, or Ctrl and the wheel.",
    run(place) {
      const view = new ScrollView();
      view.ariaLabel = "Picture";
      view.maximumZoomScale = 6;
      const picture = document.createElement("img");
      picture.src = new URL("../icon.svg", import.meta.url);
      picture.alt = "Three waves";
      view.append(picture);
      view.delegate = { viewForZooming: () => picture };
      const button = document.createElement("button");
      button.textContent = "Twice as large";
      button.onclick = () => view.setZoomScale(view.zoomScale > 3 ? 1 : view.zoomScale * 2, true);
      place.append(button, view);
    },
  },
  {
    id: "control", title: "Control, ControlState",
    text: "Something that is operated: by touch, mouse, pen and keys.",
    run(place) {
      /** A heart that is chosen by a tap, Enter or the space bar. */
      class HeartControl extends Control {
        static tag = "heart-control";

        connectedCallback() {
          super.connectedCallback();
          this.isSelected = false;
          this.accessibilityLabel = "Favourite";
          this.textContent = "♡";
          this.addTarget(null, () => this.toggle(), "primaryActionTriggered");
        }

        toggle() {
          this.isSelected = !this.isSelected;
          this.textContent = this.state & ControlState.selected ? "♥" : "♡";
          this.sendActions("valueChanged");
        }
      }
      const heart = new HeartControl();
      const said = document.createElement("output");
      heart.addTarget(null, ({ isSelected }) => {
        said.textContent = isSelected ? "Kept" : "Not kept";
      }, "valueChanged");
      place.append(heart, said);
    },
  },
  {
    id: "indicator", title: "ActivityIndicator, announce",
    text: "A wheel, and words for those who do not see it.",
    run(place) {
      const wheel = new ActivityIndicator();
      wheel.indicatorStyle = "large";
      wheel.hidesWhenStopped = false;
      const button = document.createElement("button");
      button.textContent = "Start";
      button.onclick = () => {
        if (wheel.isAnimating) wheel.stopAnimating();
        else wheel.startAnimating();
        button.textContent = wheel.isAnimating ? "Stop" : "Start";
        announce(wheel.isAnimating ? "It turns" : "It stands");
      };
      place.append(wheel, button);
    },
  },
];

await translatePage();
await showGallery(document.getElementById("contents"), document.getElementById("examples"));
