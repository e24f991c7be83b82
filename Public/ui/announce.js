let region = null;

/**
 * Has a screen reader say something, when it has said what it is saying.
 * @param {string} words
 */
export function announce(words) {
  if (!region?.isConnected) {
    region = document.createElement("div");
    region.className = "ui-announcement";
    region.setAttribute("role", "status");
    document.body.append(region);
  }
  region.textContent = words;
}
