import { el } from "../ui/element.js";
import { say } from "../pageTexts.js";

/** What the gallery shows, in order: files of `examples/`. */
export const examples = [
  { file: "table", title: "TableView", text: "Rows that are made when they are in sight: here 100,000. Arrow keys move, Enter selects." },
  { file: "cells", title: "TableViewCell", text: "The styles of a cell, in a static table." },
  { file: "diffable", title: "DiffableDataSource, DiffableDataSourceSnapshot", text: "A list is given whole; what differs comes, goes and moves." },
  { file: "collation", title: "IndexedCollation, IndexBar", text: "Names under their letters, as their language has them. Drag along the letters." },
  { file: "swipes", title: "Swipe actions, IndexPath", text: "A finger swipes a row; keys do the same." },
  { file: "refresh", title: "RefreshControl", text: "Pull the list down with a finger, or press the button." },
  { file: "refreshing", title: "RefreshingScrollView", text: "A look of one’s own: the header sticks, the wheel is below it." },
  { file: "scroll", title: "ScrollView", text: "Pages, from side to side." },
  { file: "zoom", title: "ScrollView: zooming", text: "Two fingers, a double tap, or Ctrl and the wheel." },
  { file: "control", title: "Control, ControlState", text: "Something that is operated: by touch, mouse, pen and keys." },
  { file: "indicator", title: "ActivityIndicator, announce", text: "A wheel, and words for those who do not see it." },
];

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

