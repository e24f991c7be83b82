import * as classes from "../ui.js";
import { el } from "../ui/page.js";
import { say, translatePage } from "../pageTexts.js";
import { examples } from "./examples.js";

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

await translatePage();
await showGallery(document.getElementById("contents"), document.getElementById("examples"));
