let region = null;
let timer = 0;

/** Has a screen reader say something, when it has said what it is saying. @param {string} words */
export function announce(words) {
  if (!region?.isConnected) {
    region = document.createElement("div");
    region.className = "ui-announcement";
    region.role = "status";
    document.body.append(region);
  }
  region.textContent = "";
  clearTimeout(timer);
  // What is heard is a change of what is there already, also when the words are the same.
  timer = setTimeout(() => { region.textContent = words; }, 100);
}
