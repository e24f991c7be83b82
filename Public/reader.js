import { Reader } from "./reader/Reader.js";
import { recall } from "./ui/memory.js";
import { language, loadWords, pageDirection } from "./words.js";

const { documentElement: root } = document;
for (const name of ["theme", "size", "density"]) {
  root.dataset[name] = recall(`freshet ${name}`, () => localStorage) ?? "";
}
Object.assign(root, { lang: language, dir: pageDirection });
// The page is in English; until other words are here, it has none.
if (language !== "en") root.dataset.waits = "";
if (language !== "en") loadWords();

new Reader(document).start();
