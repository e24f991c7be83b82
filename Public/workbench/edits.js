import { say } from "../words/pages.js";

const plants = [
  ["beans", "sown", "Soak them overnight"], ["peas", "sown", "Along the south fence"],
  ["kale", "ripe", "Better after a frost"], ["leeks", "growing", "Earth up in October"],
  ["beetroot", "ripe", "Pull the big ones first"], ["carrots", "growing", "Keep the fly off"],
  ["chard", "ripe", "Cut the outer leaves"], ["garlic", "sown", "In before the winter"],
  ["basil", "growing", "Pinch out the tips"], ["mint", "ripe", "Never outside its pot"],
  ["thyme", "growing", "Hardly any water"], ["sage", "ripe", "Dry a bunch for winter"],
];
const more = ["sorrel", "lovage", "dill", "fennel", "chives", "rocket", "radish", "spinach"];
const states = ["sown", "growing", "in flower", "ripe"];

const any = (list) => list[Math.floor(Math.random() * list.length)];

const beds = [["south", "South bed"], ["north", "North bed"], ["greenhouse", "Greenhouse"],
  ["orchard", "Orchard"], ["pots", "Pots"]];
const sorts = ["early", "late", "dwarf", "giant", "red", "white", "blue", "golden", "striped",
  "wild", "summer", "winter", "hardy", "sweet", "bitter", "curly", "smooth"];

/** What the workbench begins with: 200 items, so that one change is little beside them. */
export const garden = {
  title: "Garden",
  sections: beds.map(([id, title], bed) => ({
    id, title,
    items: Array.from({ length: 40 }, (_, place) => {
      const number = bed * 40 + place;
      const [name, state, note] = plants[number % plants.length];
      const sort = sorts[Math.floor(number / plants.length)];
      return { id: `${sort}-${name}`, title: `${sort[0].toUpperCase()}${sort.slice(1)} ${name}`,
        state, note };
    }),
  })),
};

/** Ways to change a document, in place, by name; each says what it did, if it could. */
export const edits = {
  add(document) {
    const sections = sectionsOf(document);
    if (sections.length === 0) sections.push({ id: "main", items: [] });
    const taken = new Set(sections.flatMap(({ items }) => items.map(({ id }) => id)));
    const free = more.filter((name) => !taken.has(name));
    const name = free[0] ?? `seedling-${Date.now().toString(36)}`;
    sections[0].items.unshift({ id: name, title: name, state: "sown", note: "Just came" });
    return say("Added “{id}”.", { id: name });
  },
  change(document) {
    const item = any(sectionsOf(document).flatMap(({ items }) => items));
    if (!item) return undefined;
    item.state = any(states.filter((state) => state !== item.state));
    return say("Changed “{id}” to {state}.", item);
  },
  move(document) {
    const from = any(sectionsOf(document).filter(({ items }) => items.length > 1));
    if (!from) return undefined;
    const [item] = from.items.splice(Math.floor(Math.random() * (from.items.length - 1)), 1);
    from.items.push(item);
    return say("Moved “{id}” to the end.", item);
  },
  remove(document) {
    const from = any(sectionsOf(document).filter(({ items }) => items.length > 0));
    if (!from) return undefined;
    const [item] = from.items.splice(Math.floor(Math.random() * from.items.length), 1);
    return say("Removed “{id}”.", item);
  },
};

/** A document's sections; items without any become one. */
function sectionsOf(document) {
  const { items, sections = [{ id: "main", items }] } = document ?? {};
  const isList = (list) => Array.isArray(list) && list.every((one) => one?.id !== undefined);
  const isObject = typeof document === "object" && document && !Array.isArray(document);
  if (!isObject || !isList(sections)
    || !sections.every((section) => isList(section.items ??= []))) {
    throw new TypeError(say("it has neither sections nor items with an id each."));
  }
  delete document.items;
  return document.sections = sections;
}
