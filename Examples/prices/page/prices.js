// The price board: follows the feed `prices`, and shows which way each price went last.
import { Feed, Service } from "./freshet.js";

const [title, unit, state, board] = ["title", "unit", "state", "board"]
  .map((id) => document.getElementById(id));
const rows = new Map(); // by id: the row, and the price that it shows

function element(name, className, text = "") {
  const made = document.createElement(name);
  if (className) made.className = className;
  made.textContent = text;
  return made;
}

/** The row of an item, the same element for as long as the item is there. */
function row(item) {
  let shown = rows.get(item.id);
  if (!shown) {
    shown = { row: element("li"), name: element("span"), price: element("span", "price"),
      way: element("span", "way"), value: item.price };
    shown.row.append(shown.name, shown.price, shown.way);
    rows.set(item.id, shown);
  }
  shown.name.textContent = item.name;
  shown.price.textContent = item.price;
  if (shown.value !== item.price) {
    const up = Number(item.price) > Number(shown.value);
    shown.value = item.price;
    shown.way.textContent = up ? "▲" : "▼";
    shown.way.setAttribute("aria-label", up ? "rose" : "fell");
    shown.row.className = "";
    void shown.row.offsetWidth; // so that the flash starts over
    shown.row.className = `changed ${up ? "up" : "down"}`;
  }
  return shown.row;
}

/** Gives a list these children in this order, and leaves alone those that are in place. */
function arrange(list, children) {
  children.forEach((child, index) => {
    if (list.children[index] !== child) list.insertBefore(child, list.children[index] ?? null);
  });
  while (list.children.length > children.length) list.lastElementChild.remove();
}

const sections = new Map();
const feed = new Feed(new Service(""), "prices");
feed.addEventListener("change", () => {
  const snapshot = feed.snapshot ?? { members: {}, sections: [] };
  title.textContent = snapshot.members.title ?? "Market prices";
  unit.textContent = snapshot.members.unit ?? "";
  const ids = new Set(snapshot.sections.flatMap((section) => section.items.map((item) => item.id)));
  for (const id of rows.keys()) if (!ids.has(id)) rows.delete(id);
  arrange(board, snapshot.sections.map((section) => {
    let shown = sections.get(section.id);
    if (!shown) {
      shown = element("section");
      shown.append(element("h2"), element("ul"));
      sections.set(section.id, shown);
    }
    shown.firstChild.textContent = section.title ?? section.id;
    arrange(shown.lastChild, section.items.map(row));
    return shown;
  }));
});
feed.addEventListener("state", () => {
  state.textContent = feed.error?.message ?? feed.state;
});
feed.live();
