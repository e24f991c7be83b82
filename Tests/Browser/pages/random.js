// Random changes of every kind to a table, each checked against what it should then show.

import { DiffableDataSource, DiffableDataSourceSnapshot, IndexPath, TableView } from "/ui.js";
import { changesBetween, generator } from "/tests/randomFeeds.js";

const below = (random, limit) => Math.floor(random() * limit);

function shuffled(list, random) {
  const left = [...list];
  return list.map(() => left.splice(below(random, left.length), 1)[0]);
}

function randomDocument(random) {
  const sections = shuffled([..."abcdefgh"], random).slice(0, 1 + below(random, 7))
    .map((id) => ({ id, title: random() < 0.8 ? `T${below(random, 3)}` : "", items: [] }));
  const size = random() < 0.2 ? below(random, 6) : below(random, 160);
  const numbers = shuffled(Array.from({ length: 200 }, (_, one) => one), random);
  for (const number of numbers.slice(0, size)) {
    const { items } = sections[below(random, sections.length)];
    items.push({ id: `i${number}`, likes: below(random, 3) });
  }
  return { sections };
}

/** The same with a few things, or a run of them, somewhere else, out, in or changed. */
function varied(document, random) {
  let { sections } = structuredClone(document);
  const fresh = shuffled(Array.from({ length: 200 }, (_, one) => `i${one}`), random);
  const used = new Set(sections.flatMap(({ items }) => items.map(({ id }) => id)));
  for (let step = 1 + below(random, 8); step > 0 && sections.length > 0; step -= 1) {
    const from = sections[below(random, sections.length)];
    const to = sections[below(random, sections.length)];
    const count = random() < 0.2 ? below(random, 20) : 1;
    const taken = from.items.splice(below(random, from.items.length), count);
    const place = random() < 0.3 ? 0 : below(random, to.items.length + 1);
    for (const item of taken) if (random() < 0.4) item.likes = below(random, 5);
    if (random() < 0.75) to.items.splice(place, 0, ...taken);
    const come = fresh.splice(0, below(random, 4)).filter((id) => !used.has(id));
    for (const id of come) used.add(id);
    to.items.splice(below(random, to.items.length + 1), 0,
      ...come.map((id) => ({ id, likes: below(random, 3) })));
  }
  if (random() < 0.15) sections = shuffled(sections, random);
  if (random() < 0.1) sections.splice(below(random, sections.length), 1);
  if (random() < 0.1) {
    const id = [..."abcdefgh"].find((one) => !sections.some((section) => section.id === one));
    const items = sections[0]?.items.splice(0, below(random, 5)) ?? [];
    if (id) sections.splice(below(random, sections.length + 1), 0, { id, title: "New", items });
    else sections[0]?.items.unshift(...items);
  }
  return { sections };
}

/** What a cell shows of an item. */
const words = ({ id, likes }) => `${id} ${likes}`;
const kind = ({ id }) => ["plain", "tall", "unknown"][Number(id.slice(1)) % 3];

class Subject {
  #byID = new Map();

  constructor(random, rowHeight) {
    this.random = random;
    this.document = { sections: [] };
    this.table = new TableView();
    this.table.className = "whole";
    this.table.rowHeight = rowHeight;
    document.body.replaceChildren(this.table);
    this.source = new DiffableDataSource(this.table, (table, path, id) => {
      const item = this.#byID.get(id);
      const cell = table.dequeueReusableCell(kind(item), path);
      cell.textLabel.textContent = words(item);
      cell.detailTextLabel.textContent = "x".repeat(item.likes * 30);
      return cell;
    });
    this.source.titleForHeader = (section) => this.document.sections[section]?.title || null;
  }

  /** Changes to a document by one of the ways there are. */
  show(next) {
    const { random, source, document: old } = this;
    const changes = changesBetween(old, next, random);
    const was = new Map(old.sections.flatMap(({ items }) => items.map((item) => [item.id, item])));
    changes.items.update = changes.items.update.filter(({ set }) => Object.keys(set).length > 0);
    this.document = next;
    const items = next.sections.flatMap((section) => section.items);
    this.#byID = new Map(items.map((item) => [item.id, item]));
    const animated = random() < 0.7;
    const way = below(random, 10);
    if (way === 0) {
      const snapshot = this.#snapshot(next);
      source.applySnapshotUsingReloadData(snapshot);
      return "reload";
    }
    if (way < 5) {
      source.applyChanges(changes, animated);
      return "applyChanges";
    }
    const snapshot = this.#snapshot(next);
    const changed = items.filter(({ id, likes }) => was.get(id)?.likes !== likes);
    if (way < 7) snapshot.reloadItems(changed.map(({ id }) => id));
    else snapshot.reconfigureItems(changed.map(({ id }) => id));
    source.apply(snapshot, animated);
    return "apply";
  }

  #snapshot({ sections }) {
    const snapshot = new DiffableDataSourceSnapshot();
    snapshot.appendSections(sections.map(({ id }) => id));
    for (const { id, items } of sections) snapshot.appendItems(items.map((item) => item.id), id);
    return snapshot;
  }

  seen() {
    const { y } = this.table.contentOffset;
    return new Map(this.table.indexPathsForVisibleRows
      .map((path) => [this.source.itemIdentifier(path), this.table.rectForRow(path).y - y]));
  }

  check() {
    const { table, document: { sections } } = this;
    const fail = (what) => { throw new Error(what); };
    if (table.numberOfSections !== sections.length) fail("the number of sections");
    sections.forEach(({ items }, section) => {
      if (table.numberOfRows(section) !== items.length) fail(`the rows of section ${section}`);
    });
    const cells = [...table.querySelectorAll(".ui-section > table-view-cell")];
    const paths = cells.map((cell) => table.indexPath(cell));
    cells.forEach((cell, index) => {
      const item = sections[paths[index].section].items[paths[index].row];
      const text = cell.textLabel.textContent;
      if (text !== words(item)) fail(`${paths[index]}: ${text} is not ${words(item)}`);
      if (cell.reuseIdentifier !== kind(item)) fail(`${paths[index]}: the kind of cell`);
      if (index > 0 && !(paths[index].compare(paths[index - 1]) > 0)) {
        fail(`${paths[index]} comes after ${paths[index - 1]}`);
      }
    });
    this.#checkPlaces(cells, paths, fail);
  }

  #checkPlaces(cells, paths, fail) {
    const { table, document: { sections } } = this;
    const all = sections.reduce((sum, { items }) => sum + items.length, 0);
    const { y } = table.contentOffset;
    const end = Math.min(y + table.clientHeight, table.contentSize.height);
    if (all > 0 && end > Math.max(y, 0) && cells.length === 0 && end - y > 300) fail("no cells");
    let bottom = null;
    cells.forEach((cell, index) => {
      const { row, section } = paths[index];
      const top = cell.parentNode.offsetTop + cell.offsetTop;
      const isNext = index > 0 && paths[index - 1].section === section
        && paths[index - 1].row === row - 1;
      if (isNext && Math.abs(top - bottom) > 0.6) fail(`${paths[index]}: at ${top}, not ${bottom}`);
      if (index > 0 && !isNext && top < bottom) fail(`${paths[index]}: over the one before it`);
      if (Math.abs(table.rectForRow(paths[index]).height - cell.offsetHeight) > 0.6) {
        fail(`${paths[index]}: thought ${table.rectForRow(paths[index]).height} high, `
          + `is ${cell.offsetHeight}`);
      }
      bottom = top + cell.offsetHeight;
    });
    const seen = table.indexPathsForVisibleRows;
    const last = seen.at(-1);
    if (last && table.rectForRow(last).bottom < end - 80
      && sections.slice(last.section + 1).every(({ items }) => items.length === 0)
      && last.row + 1 < sections[last.section].items.length) {
      fail(`nothing below ${last}`);
    }
    for (const section of table.querySelectorAll(".ui-section")) {
      const title = section.querySelector(".ui-header")?.textContent ?? "";
      const cell = section.querySelector("table-view-cell");
      if (cell && title !== sections[table.indexPath(cell).section].title) fail("a header");
    }
  }
}

/**
 * Runs rounds from a seed for so long; resolves to the number of rounds.
 * A row height of 0 is that of what is in the row.
 */
window.randomDiffs = async (seed, seconds, rowHeight = 0) => {
  const random = generator(seed);
  const subject = new Subject(random, rowHeight);
  const { table } = subject;
  let [round, log] = [0, []];
  const end = performance.now() + seconds * 1000;
  try {
    while (performance.now() < end) {
      round += 1;
      if (random() < 0.3) table.setContentOffset({ y: random() * table.contentSize.height });
      if (random() < 0.1) table.setContentOffset({ y: 0 });
      const next = random() < 0.15 ? randomDocument(random) : varied(subject.document, random);
      const before = subject.seen();
      const wasAtTop = table.scrollTop <= 0;
      log.push(`${round}: ${JSON.stringify(subject.document)}`);
      log.push(`${subject.show(next)}: ${JSON.stringify(next)}, at top ${wasAtTop}`);
      log = log.slice(-2);
      subject.check();
      if (!log[1].startsWith("reload")) checkPlace(subject, before, wasAtTop);
      if (random() < 0.5) {
        await new Promise(requestAnimationFrame);
        subject.check();
      }
    }
  } catch (error) {
    const where = `seed ${seed}, round ${round}`;
    throw new Error(`${where}: ${error.message}\n${error.stack}\n${log.join("\n")}`);
  }
  return round;
};

/** A row that was in sight and still is has not moved, unless the table ends there. */
function checkPlace(subject, before, wasAtTop) {
  const { table, source } = subject;
  const seen = subject.seen();
  if (wasAtTop || before.size === 0) return;
  const { y } = table.contentOffset;
  const moved = [...before].map(([id, place]) => {
    const path = source.indexPath(id);
    return path ? Math.abs(table.rectForRow(path).y - y - place) : null;
  }).filter((way) => way !== null);
  if (moved.length === 0 || Math.min(...moved) < 1.1) return;
  const isAtEnd = y <= 0 || y >= table.contentSize.height - table.clientHeight - 1;
  if (!isAtEnd) {
    throw new Error(`what was seen moved by ${moved}: ${JSON.stringify([...before])}, now `
      + `${JSON.stringify([...seen])} at ${y}, ${table.scrollTop} of ${table.scrollHeight}`);
  }
}

window.IndexPath = IndexPath;
window.ready = Promise.resolve();
