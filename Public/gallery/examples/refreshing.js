import { RefreshingScrollView } from "../../ui.js";

export function run(place) {
  const view = new RefreshingScrollView();
  view.ariaLabel = "Notes";
  view.header.textContent = "Notes";
  const list = document.createElement("ol");
  const add = (note) => {
    const row = document.createElement("li");
    row.textContent = note;
    list.prepend(row);
  };
  for (let note = 1; note <= 20; note += 1) add(`Note ${note}`);
  view.append(list);
  view.request = async () => {
    await new Promise((done) => { setTimeout(done, 800); });
    return `Note ${list.children.length + 1}`;
  };
  view.delegate = { needsRefresh: add };
  const button = document.createElement("button");
  button.textContent = "Refresh";
  button.onclick = () => view.refresh();
  place.append(button, view);
}
