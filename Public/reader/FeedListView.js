/** The list of feeds, a link each. */
export class FeedListView {
  #list;
  #links = new Map();

  /** @param {HTMLElement} list an empty one */
  constructor(list) {
    this.#list = list;
  }

  /** Shows feeds in place of those that are there. */
  show(feeds) {
    const old = this.#links;
    this.#links = new Map(feeds.map((feed) => [feed.id, old.get(feed.id) ?? made(feed.id)]));
    for (const { id, title, count } of feeds) {
      const [name, number] = this.#links.get(id).children;
      name.textContent = title ?? id;
      number.textContent = count.toLocaleString();
    }
    // What is there stays, with the focus.
    const rows = [...this.#links.values()].map((link) => link.parentNode);
    if (rows.some((row, index) => row !== this.#list.children[index])) {
      this.#list.replaceChildren(...rows);
    }
    for (const row of [...this.#list.children].slice(rows.length)) row.remove();
  }

  /** The id of the first feed; null when there is none. */
  get first() {
    return this.#links.keys().next().value ?? null;
  }

  /** Marks the feed in sight. @param {?string} id */
  select(id) {
    for (const [name, link] of this.#links) link.ariaCurrent = name === id ? "page" : null;
  }
}

function made(id) {
  const link = document.createElement("a");
  link.href = `#${encodeURIComponent(id)}`;
  const name = document.createElement("span");
  name.dir = "auto";
  const number = document.createElement("span");
  number.className = "count";
  link.append(name, number);
  document.createElement("li").append(link);
  return link;
}
