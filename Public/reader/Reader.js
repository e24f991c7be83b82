import { Feed } from "../freshet.js";
import { FeedListView } from "./FeedListView.js";
import { FeedView } from "./FeedView.js";

/** The page: a list of feeds, one of them in sight, and the refresh. */
export class Reader {
  #service;
  #list;
  #view;
  #status;
  #button;
  /** @type {Feed | null} the feed in sight */
  #feed = null;

  /**
   * @param {Document} page
   * @param {import("../freshet.js").Service} service
   */
  constructor(page, service) {
    this.#service = service;
    this.#list = new FeedListView(page.getElementById("feeds"));
    this.#view = new FeedView(page.getElementById("feed"));
    this.#status = page.getElementById("status");
    this.#button = page.getElementById("refresh");
  }

  /** Shows the feed that the address names, or the first there is. */
  async start() {
    this.#button.addEventListener("click", () => this.#refresh());
    addEventListener("hashchange", () => this.#open());
    addEventListener("keydown", (event) => this.#keyDown(event));
    const isThere = await this.#loadList();
    if (isThere || this.#named !== null) this.#open();
    else this.#button.disabled = false;
  }

  #keyDown(event) {
    if (event.key.toLowerCase() !== "r" || event.repeat) return;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    this.#refresh();
  }

  /** Fetches the list of feeds; false when that failed, and the page says so. */
  async #loadList() {
    try {
      this.#list.show(await this.#service.feeds());
      return true;
    } catch (error) {
      this.#fail(error);
      return false;
    }
  }

  #open() {
    const id = this.#named ?? this.#list.first;
    this.#list.select(id);
    this.#feed = id === null ? null : new Feed(this.#service, id);
    this.#view.clear();
    this.#say("");
    if (this.#feed === null) {
      this.#button.disabled = false;
      this.#view.notice("There is no feed here yet. Publish one, then refresh.");
      return;
    }
    this.#refresh();
  }

  /** The feed's id after the `#` of the address; null for none, or for what is no text. */
  get #named() {
    try {
      return decodeURIComponent(location.hash.slice(1)) || null;
    } catch {
      return null;
    }
  }

  async #refresh() {
    const feed = this.#feed;
    this.#button.disabled = true;
    this.#button.classList.add("busy");
    try {
      if (feed === null) {
        if (await this.#loadList()) this.#open();
        return;
      }
      const [refreshment] = await Promise.all([feed.refresh(), this.#loadList()]);
      // Another feed may have been opened meanwhile.
      if (feed !== this.#feed) return;
      this.#list.select(feed.id);
      this.#view.show(feed, refreshment);
      this.#say(refreshment.isFirst ? "" : refreshment.words);
    } catch (error) {
      if (feed === this.#feed) this.#fail(error);
    } finally {
      if (feed === this.#feed) {
        this.#button.disabled = false;
        this.#button.classList.remove("busy");
      }
    }
  }

  #say(words) {
    this.#status.classList.remove("failed");
    this.#status.textContent = words;
  }

  #fail(error) {
    this.#status.classList.add("failed");
    this.#status.textContent = error.message;
  }
}
