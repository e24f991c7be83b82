import { load } from "../ui/memory.js";
import { language, loadWords, pageDirection } from "../words.js";
import { addressed } from "./addressed.js";
import { firstRows, level } from "./firstRows.js";

/** The rows that are shown here, and whether the reader has looked for them. */
let [table, isTaken] = [null, false];

/** The rows of a feed that are shown already, once; what comes later is the reader's to show. */
export function takePainted(id) {
  isTaken = true;
  const taken = id === self.earlyRows?.id ? table : null;
  table = null;
  return taken;
}

/** Shows the rows that `early.js` asked for, before the reader is here. */
async function paint({ id, copy }) {
  const { sections, ...members } = await copy ?? {};
  if (isTaken || id !== addressed(0)) return;
  if (!sections?.some(({ items }) => items.length > 0)) return;
  const rows = firstRows({ id, snapshot: { members, sections } });
  if (!rows) return;
  document.getElementById("app").dataset.screen = "feed";
  document.getElementById("stage").replaceChildren(table = rows);
  level(rows);
}

const { documentElement: root } = document;
for (const name of ["theme", "size", "density"]) {
  root.dataset[name] = load(`freshet ${name}`, () => localStorage) ?? "";
}
Object.assign(root, { lang: language, dir: pageDirection });
// The page is in English; until other words are here, it has none.
if (language !== "en") root.dataset.waits = "";
// What is none of a feed the reader says in words.
if (self.earlyRows) paint(self.earlyRows).catch(() => {});
if (language !== "en") loadWords();
