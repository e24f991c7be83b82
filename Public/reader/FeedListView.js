/** The list of feeds, a link each. */
export class FeedListView {
  #list;
  #links = new Map();

  /** @param {HTMLElement} list an empty list */
  constructor(list) {
    this.#list = list;
  }

  /**
   * Shows feeds in place of those that are there.
   * @param {{id: string, title?: string, count: number}[]} feeds
   */
  show(feeds) {
    const selected = [...this.#links].find(([, link]) => link.ariaCurrent === "page")?.[0];
    this.#links = new Map(feeds.map((feed) => [feed.id, this.#link(feed)]));
    this.#list.replaceChildren(...[...this.#links.values()].map((link) => {
      const row = document.createElement("li");
      row.append(link);
      return row;
    }));
    this.select(selected ?? null);
  }

  /** The id of the first feed; null when there is none. */
  get first() {
    return this.#links.keys().next().value ?? null;
  }

  /**
   * Marks the feed in sight.
   * @param {string | null} id
   */
  select(id) {
    for (const [name, link] of this.#links) link.ariaCurrent = name === id ? "page" : null;
  }

  #link({ id, title, count }) {
    const link = document.createElement("a");
    link.href = `#${encodeURIComponent(id)}`;
    const name = document.createElement("span");
    name.dir = "auto";
    name.textContent = title ?? id;
    const number = document.createElement("span");
    number.className = "count";
    number.textContent = count.toLocaleString();
    link.append(name, number);
    return link;
  }
}
