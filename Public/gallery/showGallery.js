import { say } from "../words/pages.js";
import { examples } from "./examples.js";

/** Shows every example: what it makes, and the file that made it. */
export async function showGallery(contents, place) {
  for (const { file, title, text } of examples) {
    const section = element("section", "", element("h2", "", title), element("p", "", say(text)));
    section.id = file;
    const stage = element("div", "stage");
    const code = element("code", "", "");
    const shown = element("pre", "", code);
    shown.tabIndex = 0;
    shown.ariaLabel = say("The code of {title}", { title });
    shown.role = "group";
    section.append(element("div", "example", stage, shown));
    place.append(section);
    const link = element("a", "", title);
    link.href = `#${file}`;
    contents.append(link);
    const address = new URL(`./examples/${file}.js`, import.meta.url);
    const [{ run }, answer] = await Promise.all([import(address), fetch(address)]);
    code.textContent = await answer.text();
    await run(stage);
  }
  document.documentElement.dataset.ready = "";
}

function element(name, style, ...content) {
  const made = document.createElement(name);
  if (style) made.className = style;
  made.append(...content);
  return made;
}
