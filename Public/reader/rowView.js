/** Members that have a place of their own in a row, or are for the program. */
const placed = new Set(["id", "kind", "title", "headline", "name", "value", "summary", "url"]);

/**
 * A row that shows an item: its title, its value at the end of the line, its summary below, and
 * whatever else it has. All of it is text: nothing in an item becomes markup.
 * @param {{id: string}} item
 * @returns {HTMLLIElement}
 */
export function rowView(item) {
  const row = document.createElement("li");
  const titleMember = ["title", "headline", "name"].find((name) => typeof item[name] === "string");
  row.append(part("title", titleMember ? item[titleMember] : item.id, link(item.url)));
  if (item.value !== undefined) row.append(part("value", words(item.value)));
  if (item.summary !== undefined) row.append(part("summary", words(item.summary)));
  const rest = Object.entries(item)
    .filter(([name]) => !placed.has(name))
    .map(([name, value]) => `${name}: ${words(value)}`);
  if (rest.length > 0) row.append(part("rest", rest.join(" · ")));
  return row;
}

function part(style, content, href = null) {
  const made = document.createElement(href === null ? "span" : "a");
  made.className = style;
  made.dir = "auto";
  made.textContent = content;
  if (href !== null) {
    made.href = href;
    made.rel = "noreferrer";
  }
  return made;
}

/** The address of a page of the web; null for anything else, such as a script. */
function link(address) {
  if (typeof address !== "string" || !URL.canParse(address)) return null;
  return /^https?:$/.test(new URL(address).protocol) ? address : null;
}

function words(value) {
  return typeof value === "string" ? value : JSON.stringify(value);
}
