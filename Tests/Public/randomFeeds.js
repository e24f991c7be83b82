// Feeds at random, from a seed, and changes between them found without cleverness.

/** Random numbers from 0 up to 1 that repeat: xorshift (Marsaglia, "Xorshift RNGs", 2003). */
export function generator(seed) {
  let state = seed;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

const below = (random, limit) => Math.floor(random() * limit);

function shuffled(list, random) {
  const left = [...list];
  return list.map(() => left.splice(below(random, left.length), 1)[0]);
}

/** A snapshot's document of a few sections, with ids from few enough to meet again. */
export function randomDocument(random) {
  const sections = shuffled(["a", "b", "c", "d", "é", "e\u0301"], random)
    .slice(0, below(random, 5))
    .map((id) => ({ id, title: `T${below(random, 3)}`, items: [] }));
  const ids = shuffled(Array.from({ length: 20 }, (_, index) => `i${index}`), random);
  for (const id of sections.length > 0 ? ids.slice(0, below(random, 20)) : []) {
    sections[below(random, sections.length)].items.push({ id, likes: below(random, 3) });
  }
  return { title: `F${below(random, 2)}`, sections };
}

/** The same with some items and sections taken somewhere else, out, or changed. */
export function varied(document, random) {
  const { title, sections } = structuredClone(document);
  for (let step = below(random, 6); step > 0 && sections.length > 0; step--) {
    const from = sections[below(random, sections.length)];
    const [item] = from.items.splice(below(random, from.items.length), 1);
    const to = sections[below(random, sections.length)];
    if (item === undefined) continue;
    if (random() < 0.3) item.likes = below(random, 5);
    if (random() < 0.8) to.items.splice(below(random, to.items.length + 1), 0, item);
  }
  return { title, sections: random() < 0.3 ? shuffled(sections, random) : sections };
}

/** Which of a list may stay where they are: a run that keeps its order, not always the longest. */
function staying(old, now, random) {
  let last = -1;
  return new Set(now.filter((id) => {
    const place = old.indexOf(id);
    if (place <= last || random() < 0.1) return false;
    last = place;
    return true;
  }));
}

function edit(old, now, fixed) {
  const names = (object) => Object.keys(object).filter((name) => !fixed.includes(name));
  const set = names(now).filter((name) => old[name] !== now[name]);
  const unset = names(old).filter((name) => !(name in now));
  return { set: Object.fromEntries(set.map((name) => [name, now[name]])), unset };
}

/** Right changes from one document to another, not the fewest. */
export function changesBetween(old, now, random) {
  const items = { remove: [], insert: [], move: [], update: [] };
  const sections = { remove: [], insert: [], move: [], update: [] };
  const oldItems = new Map(old.sections.flatMap((one) => one.items.map((item) => [item.id, item])));
  const nowIDs = new Set(now.sections.flatMap((one) => one.items.map(({ id }) => id)));
  const stay = staying(old.sections.map(({ id }) => id), now.sections.map(({ id }) => id), random);

  now.sections.forEach(({ items: rows, ...section }, index) => {
    const was = old.sections.find(({ id }) => id === section.id);
    if (!was) sections.insert.push({ index, section });
    else if (!stay.has(section.id)) sections.move.push({ index, id: section.id });
    if (was) sections.update.push({ id: section.id, ...edit(was, section, ["id", "items"]) });
    const rowsBefore = was ? was.items.map(({ id }) => id) : [];
    const keep = staying(rowsBefore, rows.map(({ id }) => id), random);
    rows.forEach((item, place) => {
      const before = oldItems.get(item.id);
      if (!before) return items.insert.push({ section: section.id, index: place, item });
      if (!keep.has(item.id)) items.move.push({ section: section.id, index: place, id: item.id });
      return items.update.push({ id: item.id, ...edit(before, item, ["id"]) });
    });
  });
  for (const section of old.sections) {
    const isGone = !now.sections.some(({ id }) => id === section.id);
    if (isGone) sections.remove.push(section.id);
    else items.remove.push(...section.items.map(({ id }) => id).filter((id) => !nowIDs.has(id)));
  }
  return { feed: edit(old, now, ["sections"]), sections, items };
}
