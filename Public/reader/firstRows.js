import { load } from "../ui/memory.js";
import { pageDirection } from "../words.js";
import { FeedCell } from "./FeedCell.js";
import { said } from "./members.js";
import { marksOf } from "./ReadMarks.js";

/** The least height of a row, in pixels. */
const least = 44;

/**
 * A feed's first rows, as a table will show them, whose code makes one of the very element: a
 * finger that scrolls it goes on. Null when the table was left further down.
 * @returns {?HTMLElement}
 */
export function firstRows({ id, snapshot }) {
  const { isAtTop = true } = JSON.parse(load(`ui feed ${id}`) ?? "{}");
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
  let room = Math.ceil(2 * innerHeight / least);
  for (const [number, { items }] of snapshot.sections.entries()) {
    if (room <= 0) break;
    const title = headerTitle(snapshot, number);
    if (title === null && items.length === 0) continue;
    const section = part("div", "ui-section first");
    if (title !== null) {
      const header = part("div", "ui-header", part("span", "", String(title)));
      header.firstChild.dir = "auto";
      section.append(header);
    }
    section.append(...items.slice(0, room).map((item) => {
      const cell = new FeedCell();
      cell.show(item, marksOf(id).has(item.id));
      return cell;
    }));
    // A header takes room, too.
    room -= items.length + (title === null ? 0 : 1);
    table.append(section);
  }
  return table;
}

/** Has first rows that are in sight begin at whole pixels, as those of a table do. */
export function level(table) {
  const cells = [...table.querySelectorAll("feed-cell")];
  const more = cells.map((cell) => cell.offsetHeight - cell.getBoundingClientRect().height);
  cells.forEach(({ style }, index) => { style.marginBottom = `${more[index]}px`; });
}

/** What is above a section; null for nothing. */
export function headerTitle({ sections }, number) {
  const { id, title } = sections[number] ?? {};
  return said(title, sections.length > 1 ? id : null)?.slice(0, 300) ?? null;
}

/** How a feed is written: as it says itself, or as its first letters are. */
export function direction({ members, sections }) {
  if (pageDirection === "rtl") return "rtl";
  if (["ltr", "rtl"].includes(members.dir)) return members.dir;
  const { items: [item = {}] } = sections.find(({ items }) => items.length > 0) ?? { items: [] };
  const texts = [item.title, item.headline, item.name, members.title]
    .filter((text) => typeof text === "string");
  const [letter = ""] = texts.join(" ").match(/\p{L}/u) ?? [];
  return /[\u0590-\u08ff\ufb1d-\ufefc]/.test(letter) ? "rtl" : "ltr";
}

function part(name, style, ...content) {
  const made = document.createElement(name);
  made.className = style;
  made.append(...content);
  return made;
}
