import { el, load, loadValue } from "../ui/page.js";
import { language, loadWords, pageDirection } from "../words.js";
import { FeedCell, firstNonEmpty } from "./FeedCell.js";

/** The rows that are shown here, and whether the reader has looked for them. */
let [table, isTaken] = [null, false];

/** The rows of a feed that are shown already, once; what comes later is the reader's to show. */
export function adoptPrerendered(id) {
  isTaken = true;
  const taken = id === self.prefetchedRows?.id ? table : null;
  table = null;
  return taken;
}

/** Shows the rows that `prefetch.js` asked for, before the reader is here. */
async function prerender({ id, copy }) {
  const { sections, ...members } = await copy ?? {};
  if (isTaken || id !== readHash(0)) return;
  if (!sections?.some(({ items }) => items.length > 0)) return;
  // Where nothing is kept nothing was read.
  const rows = firstRows({ id, snapshot: { members, sections } }, new Set());
  if (!rows) return;
  document.getElementById("app").dataset.screen = "feed";
  document.getElementById("stage").replaceChildren(table = rows);
  snapToPixels(rows);
}

const { documentElement: root } = document;
for (const name of ["theme", "size", "density"]) {
  root.dataset[name] = load(`freshet ${name}`, () => localStorage) ?? "";
}
Object.assign(root, { lang: language, dir: pageDirection });
// The page is in English; until other words are here, it has none.
if (language !== "en") root.dataset.waits = "";
// What is none of a feed the reader says in words.
if (self.prefetchedRows) prerender(self.prefetchedRows).catch(() => {});
loadWords();

/** The least height of a row, in pixels. */
const MIN_ROW_HEIGHT = 44;

/**
 * A feed's first rows, as a table will show them, whose code makes one of the very element: a
 * finger that scrolls it goes on. Null when the table was left further down.
 * @param {{has: (id: string) => boolean}} marks of the items that were read
 * @returns {?HTMLElement}
 */
export function firstRows({ id, snapshot }, marks) {
  const { isAtTop = true } = /** @type {{isAtTop?: boolean}} */ (loadValue(`ui feed ${id}`)) ?? {};
  if (!isAtTop) return null;
  const table = document.createElement("table-view");
  table.className = "ui-scroll";
  table.classList.toggle("ui-indexed", snapshot.sections.some(({ index }) => index?.trim()));
  table.dir = direction(snapshot);
  const note = (event) => { table.touch = event.type === "touchstart" ? event : null; };
  for (const name of ["touchstart", "touchend", "touchcancel"]) {
    table.addEventListener(name, note, { passive: true });
  }
  // As many as fill the window twice, for those who scroll at once.
  let room = Math.ceil(2 * innerHeight / MIN_ROW_HEIGHT);
  for (const [number, { items }] of snapshot.sections.entries()) {
    if (room <= 0) break;
    const title = headerTitle(snapshot, number);
    if (title === null && items.length === 0) continue;
    const section = el("div", { class: "ui-section first" });
    if (title !== null) {
      const header = el("div", { class: "ui-header" }, el("span", {}, String(title)));
      header.firstChild.dir = "auto";
      section.append(header);
    }
    section.append(...items.slice(0, room).map((item) => {
      const cell = new FeedCell();
      cell.show(item, marks.has(item.id), !snapshot.members.collate);
      return cell;
    }));
    // A header takes room, too.
    room -= items.length + (title === null ? 0 : 1);
    table.append(section);
  }
  return table;
}

/** Has first rows that are in sight begin at whole pixels, as those of a table do. */
export function snapToPixels(table) {
  const cells = [...table.querySelectorAll("feed-cell")];
  const more = cells.map((cell) => cell.offsetHeight - cell.getBoundingClientRect().height);
  cells.forEach(({ style }, index) => { style.marginBottom = `${more[index]}px`; });
}

/** What is above a section; null for nothing. */
export function headerTitle({ sections }, number) {
  const { id, title } = sections[number] ?? {};
  return firstNonEmpty(title, sections.length > 1 ? id : null)?.slice(0, 300) ?? null;
}

/** How a feed is written: as it says itself, or as its first letters are. */
export function direction({ members, sections }) {
  if (pageDirection === "rtl") return "rtl";
  if (["ltr", "rtl"].includes(members.dir)) return members.dir;
  const { items: [item = {}] } = sections.find(({ items }) => items.length > 0) ?? { items: [] };
  return directionOf(item.title, item.headline, item.name, members.title) ?? "ltr";
}

/** How texts are written, as the first letter of them is; null where there is none. */
export function directionOf(...texts) {
  const [letter] = texts.filter((text) => typeof text === "string").join(" ").match(/\p{L}/u) ?? [];
  return letter ? /[\u0590-\u08ff\ufb1d-\ufefc]/.test(letter) ? "rtl" : "ltr" : null;
}

/**
 * The end of the address of a feed, or of an item in it, by their ids. Without its slash an element of the
 * page could be called like the feed, and the browser would go to that.
 */
export function hashOf(feed, item = "") { return `#${[feed, item].map(encodeURIComponent).join("/")}`; }

/** A part of the address after its `#`; null for none, or for what is no text. */
export function readHash(place) {
  try {
    return decodeURIComponent(location.hash.slice(1).split("/")[place] ?? "") || null;
  } catch {
    return null;
  }
}
