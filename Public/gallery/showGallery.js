import { el } from "../ui/element.js";
import { say } from "../pageTexts.js";
import { examples } from "./examples.js";

/** Shows every example: what it makes, and the file that made it. */
export async function showGallery(contents, place) {
  for (const { file, title, text } of examples) {
    const section = el("section", {}, el("h2", {}, title), el("p", {}, say(text)));
    section.id = file;
    const stage = el("div", { class: "stage" });
    const code = el("code", {}, "");
    const shown = el("pre", {}, code);
    shown.tabIndex = 0;
    shown.ariaLabel = say("The code of {title}", { title });
    shown.role = "group";
    section.append(el("div", { class: "example" }, stage, shown));
    place.append(section);
    const link = el("a", {}, title);
    link.href = `#${file}`;
    contents.append(link);
    const address = new URL(`./examples/${file}.js`, import.meta.url);
    const [{ run }, answer] = await Promise.all([import(address), fetch(address)]);
    code.textContent = await answer.text();
    await run(stage);
  }
  document.documentElement.dataset.ready = "";
}

