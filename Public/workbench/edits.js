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

/** What the workbench begins with. */
export const garden = {
  title: "Garden",
  sections: [["beds", "Beds", 0, 8], ["pots", "Pots", 8, 12]].map(([id, title, from, to]) => ({
    id, title,
    items: plants.slice(from, to)
      .map(([name, state, note]) => ({ id: name, title: name, state, note })),
  })),
};

/** Ways to change a document of sections, by name; each changes it in place. */
export const edits = {
  add({ sections }) {
    const taken = new Set(sections.flatMap(({ items }) => items.map(({ id }) => id)));
    const free = more.filter((name) => !taken.has(name));
    const name = free[0] ?? `seedling-${Date.now().toString(36)}`;
    sections[0]?.items.unshift({ id: name, title: name, state: "sown", note: "Just came" });
  },
  change({ sections }) {
    const item = any(sections.flatMap(({ items }) => items));
    if (item) item.state = any(states.filter((state) => state !== item.state));
  },
  move({ sections }) {
    const from = any(sections.filter(({ items }) => items.length > 1));
    const [item] = from?.items.splice(Math.floor(Math.random() * (from.items.length - 1)), 1) ?? [];
    if (item) from.items.push(item);
  },
  remove({ sections }) {
    const { items } = any(sections.filter(({ items }) => items.length > 0)) ?? { items: [] };
    items.splice(Math.floor(Math.random() * items.length), 1);
  },
};
