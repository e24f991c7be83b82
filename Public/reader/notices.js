/** What a page says in place of a feed: words, and what to do. */

/** @param {string | (() => void)} [action] an address, or what a button does */
export function notice(title, text, label, action) {
  const made = document.createElement("div");
  made.className = "notice";
  const [head, words] = [document.createElement("h2"), document.createElement("p")];
  head.textContent = title;
  words.textContent = text;
  made.append(head, words);
  if (label) made.append(button(label, action));
  return made;
}

/** A button, or a link that looks like one. */
export function button(label, action) {
  const isLink = typeof action === "string";
  const made = document.createElement(isLink ? "a" : "button");
  made.className = "button";
  made.textContent = label;
  if (isLink) made.href = action;
  else Object.assign(made, { type: "button" }).addEventListener("click", action);
  return made;
}

/** Rows that are not there yet. */
export function skeleton() {
  const made = document.createElement("div");
  made.className = "skeleton";
  made.ariaLabel = "Loading";
  made.role = "status";
  made.append(...Array.from({ length: 9 }, () => document.createElement("i")));
  return made;
}

/** How long ago, in words. */
export function ago(date) {
  const minutes = Math.round((Date.now() - date) / 60_000);
  if (minutes < 1) return "just now";
  const format = new Intl.RelativeTimeFormat("en", { style: "short" });
  if (minutes < 60) return format.format(-minutes, "minute");
  return minutes < 1440 ? format.format(-Math.round(minutes / 60), "hour")
    : format.format(-Math.round(minutes / 1440), "day");
}
