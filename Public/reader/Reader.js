import { Cache } from "../freshet/Cache.js";
import { Feed, nextFrame } from "../freshet/Feed.js";
import { Service } from "../freshet/Service.js";
import { announce, el, load, save } from "../ui/page.js";
import { formatRelative, language, loadWords } from "../words.js";
import { firstNonEmpty } from "./FeedCell.js";
import { marksOf } from "./marks.js";
import { adoptPrerendered, firstRows, hashOf, readHash, snapToPixels } from "./prerender.js";

const forGood = () => localStorage;

/** After how long what did not come is asked for again, in milliseconds. */
const pause = 3000;

/** Longer feeds, in signs of JSON, are loaded as they are scrolled. */
const MAX_LENGTH = 4e6;

/** The page: a list of feeds, one of them in sight. */
export class Reader {
  service = new Service("", { key: load("freshet key") || undefined,
    fetch: (path, options) => this.#fetch(path, options), cache: new Cache(load("freshet vault") || undefined) });
  feeds = new Map();
  /** What shows a feed, once it is here, and both parts as they are loaded. */
  #table = null;
  /** Whether what shows a feed did not come at first. */
  #hasFailed = false;
  #loading = null;
  #loadingRest = null;
  /** The first rows, until there is a view; and those that were here before their feed. */
  #first = null;
  #prerendered = null;
  /** Items that came before there was a view. */
  #missed = new Set();
  /** Rows that are not there yet. */
  skeleton;
  /** Why there are no feeds: an error, or null. */
  #emptyState;

  /** The feed in sight. @type {?Feed} */
  feed = null;
  /** The view of it. */
  view = null;
  /** What reads items, and what goes on beside that, once it is here. */
  items = null;
  session = null;
  /** What came of the last refresh. */
  outcome = null;
  /** Why the list did not come when it was asked for last; null if it did. */
  listError = null;

  /** @param {Document} page */
  constructor(page) {
    this.part = (id) => page.getElementById(id);
    this.list = new FeedListView(this.part("feeds"));
    this.skeleton = this.part("stage").querySelector(".skeleton");
  }

  /** Shows the feed of the address, or the one that changed last. */
  start() {
    const { part } = this;
    this.service.cache.isNew = "prefetched" in self;
    self.prefetched ??= {};
    part("refresh").addEventListener("click", () => this.refresh());
    part("live").checked = load("freshet live", forGood) !== "off";
    part("live").addEventListener("change", ({ target }) => {
      save("freshet live", target.checked ? "on" : "off", forGood);
      this.follow();
    });
    addEventListener("click", async ({ target }) => {
      const act = target.closest("[data-act]")?.dataset.act;
      if (act) (await this.load()).shortcuts?.[act]();
    });
    addEventListener("hashchange", (event) => {
      const isFromList = !event.oldURL.split("#")[1];
      // Still known on return to this entry.
      if (!history.state) this.#noteEntry({ isFromList });
      if (this.#table) this.#table.shortcuts.goTo(isFromList);
      else this.open();
    });
    part("back").addEventListener("click", (event) => {
      if (!history.state?.isFromList) return;
      event.preventDefault();
      history.back();
    });
    // Not made from the list.
    this.#noteEntry(history.state ?? {});
    if (this.named) this.open();
    this.loadList();
  }

  /** Notes something of this entry of the history, whose address may have come from elsewhere. */
  #noteEntry(state) {
    history.replaceState(state, "", this.named ? hashOf(this.named, this.itemNamed ?? "") : undefined);
  }

  /** Takes what `prefetch.js` asked for, once. */
  #fetch(path, options) {
    const answer = self.prefetched[path];
    delete self.prefetched[path];
    // What follows the first rows comes after the scripts that are on their way.
    const priority = this.feed?.snapshot && !this.#table ? "low" : "auto";
    return answer ?? fetch(path, { priority, ...options });
  }

  get hasKey() { return Boolean(load("freshet key")); }
  get isPhone() { return matchMedia("(max-width: 44rem)").matches; }
  /** Ids of the address, or null. */
  get named() { return readHash(0); }
  get itemNamed() { return readHash(1); }

  /** Fetches the list; until then shows the one that was kept. */
  async loadList() {
    const service = this.service;
    const { cache } = service;
    const asked = service.feeds();
    asked.catch(() => {});
    const { documents: [kept] = [] } = await cache.read("list") ?? {};
    if (kept && this.list.isEmpty) this.#showList(kept.feeds);
    try {
      const feeds = await asked;
      if (cache !== service.cache) return;
      this.listError = null;
      this.#emptyState = feeds.length === 0 ? null : undefined;
      this.#showList(feeds);
      cache.write("list", JSON.stringify({ feeds }));
      // For `prefetch.js`, that something was kept, though no feed was opened.
      save("freshet feed", load("freshet feed", forGood) ?? "", forGood);
    } catch (error) {
      if (cache !== service.cache) return;
      this.listError = error;
      if (error.isGone) this.#forget(error);
      if (this.list.isEmpty) this.#emptyState = error;
    }
    this.#showError(this.part("feeds-notice"));
    // What no list has any more may be kept here.
    const last = load("freshet feed", forGood);
    const isKept = !this.feed && last && await this.feedOf(last).restore();
    if (!this.feed) this.open(false, isKept ? last : null);
    if (!this.feed) this.load();
  }

  #showList(feeds) {
    this.list.show(feeds, this.feed?.id);
    this.part("feeds-notice").replaceChildren();
    if (!this.feed) this.open();
    this.session?.follow();
  }

  /** Shows the feed of the address: on a phone the list when there is none. */
  open(isReturn = false, kept = null) {
    const last = load("freshet feed", forGood);
    const id = this.named ?? (this.isPhone ? null : this.list.has(last) ? last
      : this.list.newest ?? kept);
    this.part("app").dataset.screen = this.named ? "feed" : "feeds";
    this.list.select(id);
    if (id !== null && id === this.feed?.id) {
      this.items?.go(this.itemNamed);
      return isReturn ? this.#ask() : this.render();
    }
    if (id === null && this.isPhone) return this.render();
    this.leave();
    this.feed = id === null ? null : this.feedOf(id);
    if (!this.feed) {
      this.#showError(this.part("stage"));
      return this.render();
    }
    save("freshet feed", id, forGood);
    this.#prerendered = adoptPrerendered(id);
    this.#show();
    // Following begins at a token, so that a feed does not come twice.
    return this.#ask().then(() => this.follow());
  }

  leave() {
    this.view?.close();
    this.items?.leave();
    this.view = this.#first = this.#prerendered = this.feed = this.outcome = null;
    this.#missed.clear();
  }

  /** The feed of that id, neither shown nor followed by this, with what it has from before. */
  feedOf(id) {
    if (!this.feeds.has(id)) {
      const feed = new Feed(this.service, id, { first: 60, most: MAX_LENGTH, as: "changes" });
      feed.addEventListener("change", ({ detail }) => feed === this.feed && this.#show(detail));
      feed.addEventListener("state", () => {
        if (feed.error?.status === 401 && this.hasKey) this.#forget(feed.error);
        if (feed === this.feed) this.render();
      });
      this.feeds.set(id, feed);
    }
    return this.feeds.get(id);
  }

  /** Follows the feeds, if that is wanted. */
  async follow() { (await this.loadRest()).session?.follow(); }
  async askKey() { (await this.loadRest()).session?.askKey(); }

  refresh() {
    this.loadList();
    if (this.feed) this.#ask();
  }

  /** The list is not for this reader; with a refused key none is. */
  #forget({ status }) {
    this.list.show([]);
    this.service.cache.forget("list");
    if (status !== 401 || !this.hasKey) return;
    this.feed?.forget();
    for (const [id, feed] of this.feeds) {
      if (feed === this.feed) continue;
      feed.stop();
      this.feeds.delete(id);
    }
    this.loadRest().then(({ session }) => session?.forgetKey());
  }

  /** Asks what is new of the feed in sight, and says so. */
  async #ask() {
    const { feed } = this;
    const before = feed.error;
    const control = this.view?.control;
    if (feed.snapshot) control?.beginRefreshing();
    let words;
    try {
      const result = await feed.refresh();
      if (!result.isFirst) words = (await this.load()).resultWords?.(result);
      if (feed === this.feed) this.#table?.shortcuts.notify(words);
    } catch (error) {
      const { errorWords } = await this.load();
      const text = errorWords?.(error);
      // Over rows a banner is heard, unless it says what it said before.
      if (!feed.snapshot || before && text === errorWords?.(before)) words = text;
    }
    if (control) control.endRefreshing(words);
    else if (words && feed === this.feed) announce(words);
  }

  #show(result) {
    const { feed, view } = this;
    if (!view && result && !result.isFirst) {
      for (const id of result.inserted) this.#missed.add(id);
    }
    if (!(feed.snapshot?.count > 0)) {
      view?.close();
      this.items?.leave(true);
      this.view = this.#first = null;
    } else if (view) {
      return view.show(result, () => this.items?.changed());
    } else if (this.#table) {
      this.view = new this.#table.FeedView(feed, this.part("news"), () => this.refresh(),
        this.#first ?? undefined, async (item) => (await this.loadRest()).items?.open(item));
      this.#first = null;
      this.showView(this.view.table);
      this.view.missed(this.#missed);
      this.#showItems();
    } else {
      const isNew = !this.#first || !result?.isFirst;
      if (isNew) this.#first = this.#prerendered ?? firstRows(feed, marksOf(feed.id));
      this.#prerendered = null;
      this.showView(this.#first ?? this.skeleton);
      if (isNew && this.#first) snapToPixels(this.#first);
      this.load();
    }
    this.render();
  }

  #showItems() {
    if (!this.view || !this.items) return;
    this.items.show(this.feed, this.view);
    this.items.go(this.itemNamed);
  }

  /** Fetches what shows a feed. @returns {Promise<object>} never fails */
  load() {
    return this.#loading ??= this.#load();
  }

  async #load() {
    await nextFrame();
    try {
      // Each by itself: what failed to come once is never asked for again.
      const table = Object.assign({}, ...await Promise.all([loadWords(),
        ...["FeedView", "KeyboardShortcuts", "notices"].map((name) => import(`./${name}.js`))]));
      this.#table ??= { ...table, shortcuts: new table.KeyboardShortcuts(this) };
      if (this.feed && !this.view) this.#show();
      // What was asked for meanwhile was not heard.
      if (this.#hasFailed) this.refresh();
      this.loadRest();
    } catch {
      this.#hasFailed = true;
      this.#loading = null;
      setTimeout(() => this.load(), pause);
    }
    this.render();
    return this.#table ?? {};
  }

  /** Fetches what reads items and follows feeds, after that. @returns {Promise<Reader>} never fails */
  loadRest() {
    return this.#loadingRest ??= this.#loadRest();
  }

  async #loadRest() {
    const { FeedView } = await this.load();
    if (FeedView) document.head.append(this.part("later").content.cloneNode(true));
    try {
      const [{ ItemController }, { Session }] = await Promise.all(
        ["ItemController", "Session"].map((name) => import(`./${name}.js`)));
      this.items ??= new ItemController(this.part, () => this.render());
      this.session ??= new Session(this);
      this.#showItems();
    } catch {
      this.#loadingRest = null;
      setTimeout(() => this.loadRest(), pause);
    }
    this.render();
    return this;
  }

  showView(content) {
    const place = this.part("stage");
    if (place.firstElementChild === content) return;
    const hadFocus = place.contains(document.activeElement);
    place.replaceChildren(content);
    if (hadFocus) this.part("title").focus({ preventScroll: true });
  }

  /** Says how the feed is: in the bar, or in place of rows. */
  render() {
    const { feed } = this;
    const { snapshot, error, state } = feed ?? {};
    // An id is a name only where no other comes.
    const id = feed && !snapshot && !error ? "\u00a0" : feed?.id;
    const title = firstNonEmpty(snapshot?.members.title, this.list.name(feed?.id)) ?? id ?? "Freshet";
    this.part("title").textContent = title;
    const isInSight = feed && (this.named || !this.isPhone);
    document.title = isInSight && title.trim() ? `${title} – Freshet` : "Freshet";
    if (snapshot) this.list.setStatus(feed.id, title);
    this.part("refresh").dataset.busy = state === "refreshing";
    this.#table?.shortcuts.render();
    this.session?.render();
    if (!feed || snapshot?.count > 0) return;
    if (snapshot || error && state !== "refreshing") this.#notice(this.part("stage"), error);
    else this.showView(this.#prerendered ?? this.skeleton);
  }

  #showError(place) {
    if (this.#emptyState !== undefined) return this.#notice(place, this.#emptyState);
    return place.id === "stage" ? this.showView(this.skeleton) : place.replaceChildren();
  }

  async #notice(place, error) {
    const { feed } = this;
    this.#prerendered = null;
    const { showNotice } = await this.load();
    if (feed !== this.feed) return;
    if (showNotice) showNotice(place, error, this);
    else place.replaceChildren(this.part("lost").content.cloneNode(true));
  }
}

const inOrder = new Intl.Collator(language, { numeric: true });

/** The list of feeds, a link each. */
class FeedListView {
  #list;
  #links = new Map();
  /** The id of the feed that changed last; null when there is none. */
  newest = null;
  /** The feeds as the server lists them. */
  feeds = [];

  /** @param {HTMLElement} list an empty one */
  constructor(list) {
    this.#list = list;
  }

  get isEmpty() { return this.#links.size === 0; }
  /** The ids of the feeds, in the order of their names. */
  get ids() { return [...this.#links.keys()]; }
  has(id) { return this.#links.has(id); }

  /** Shows feeds, by their names, one of them in sight. */
  show(feeds, selected) {
    const old = this.#links;
    this.feeds = feeds;
    this.newest = feeds.reduce(
      (newest, feed) => (newest?.changed >= feed.changed ? newest : feed), null)?.id ?? null;
    const named = feeds.map((feed) => ({ ...feed, name: firstNonEmpty(feed.title, feed.id) }))
      .sort((one, other) => inOrder.compare(one.name, other.name));
    this.#links = new Map(named.map(({ id }) => [id, old.get(id) ?? made(id)]));
    for (const { id, name, changed } of named) this.setStatus(id, name, changed);
    // What is there stays, with the focus.
    const rows = [...this.#links.values()].map((link) => link.parentNode);
    const focused = this.#list.querySelector(":focus");
    if (rows.some((row, index) => row !== this.#list.children[index])) {
      this.#list.replaceChildren(...rows);
      focused?.focus({ preventScroll: true });
    }
    for (const row of [...this.#list.children].slice(rows.length)) row.remove();
    this.select(selected);
  }

  /** Says what a feed is called, and when it changed. */
  setStatus(id, name, changed) {
    const link = this.#links.get(id);
    if (!link) return;
    const [words, time] = link.children;
    words.textContent = name;
    [link.dataset.sign = "•"] = name.match(/[\p{L}\p{N}]/u) ?? [];
    if (changed) time.dateTime = changed;
    this.#time(time);
  }

  /** Says how many items of a feed are unread; 0 says nothing. @returns {number} of all feeds */
  setUnread(id, count) {
    const link = this.#links.get(id);
    if (link) link.lastChild.textContent = count > 0 ? count.toLocaleString(language) : "";
    if (link) link.unread = count;
    return [...this.#links.values()].reduce((sum, { unread = 0 }) => sum + unread, 0);
  }

  /** Says anew how long ago all was. */
  tick() { for (const link of this.#links.values()) this.#time(link.children[1]); }

  #time(place) {
    const date = new Date(place.dateTime || NaN);
    place.textContent = Number.isNaN(date.getTime()) ? "" : formatRelative(date);
  }

  /** What a feed is called; undefined if it is not there. */
  name(id) { return this.#links.get(id)?.firstChild.textContent; }

  /** Puts the focus on a feed, if it is there. */
  focus(id) { this.#links.get(id)?.focus(); }

  /** Marks the feed in sight. @param {?string} id */
  select(id) {
    for (const [name, link] of this.#links) link.ariaCurrent = name === id ? "page" : null;
  }
}

function made(id) {
  const link = el("a", { href: hashOf(id) }, el("span", { dir: "auto" }), el("time"),
    el("span", { class: "count" }));
  // A colour of its own, which stays the same.
  const number = [...id].reduce((sum, letter) => (sum * 31 + letter.codePointAt(0)) % 8191, 7);
  link.style.setProperty("--hue", (number * 137) % 360);
  el("li", {}, link);
  return link;
}

new Reader(document).start();
