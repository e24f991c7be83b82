import { announce, el, load, save } from "../ui/page.js";
import { t } from "../words.js";
import { ItemPane } from "./ItemPane.js";
import { keyOf } from "./KeyboardShortcuts.js";
import { filterNotice } from "./notices.js";
import { FeedCell, textOf, words } from "./FeedCell.js";
import { direction, hashOf, headerTitle, readHash } from "./prerender.js";
import { marksOf } from "./marks.js";

const forGood = () => localStorage;
const idle = globalThis.requestIdleCallback ?? ((call) => setTimeout(call, 1000));
/** Where an item is beside the list: elsewhere it lies over it. */
const beside = matchMedia("(min-width: 68rem)");
/** Whether the feeds, and each of them, are screens of their own. */
const isPhone = () => matchMedia("(max-width: 44rem)").matches;
/** How long it is offered to take marks back, in milliseconds; the key does so later, too. */
const offerTime = 10_000;
/** What changes when a page of the browser changes its stars, for others to hear of. */
const starredName = "freshet starred";
/** The elements that take the space bar themselves. */
const operated = "button, input, select, textarea, summary, audio, video, [role=slider]";

/** What a reader does with items: opens them one after the other, marks them, looks for some. */
export class ItemController {
  #part;
  #notify;
  #pane;
  #feed = null;
  #view = null;
  #marks = null;
  /** What was unread when only that was asked for: it stays until it is asked for anew. */
  #unread = null;
  /** The marks that were made last, which can be taken back. @type {?{marks, ids: string[]}} */
  #undo = null;
  #timer = 0;
  /** The starred items, once they are here. @type {?Promise<Stars>} */
  #stars = null;
  #starsKey = "";
  /** The way back from an item, which the browser goes only later. @type {?Promise<void>} */
  #wayBack = null;
  /** The id of an item that was last said to be missing. */
  #missing = null;
  /** What is printed in place of the page. */
  #printed = null;

  /** @param {(id: string) => HTMLElement} part @param {() => void} notify the counts are others */
  constructor(part, notify) {
    this.#part = part;
    this.#notify = notify;
    const pressed = (event) => this.#keyDown(event);
    this.#pane = new ItemPane(part("item"),
      { close: () => this.close(), step: (by) => this.#view && this.#step(by),
        star: () => this.#view && this.#star(),
        mark: () => this.#view && this.#toggleRead(this.#chosenItem),
        pressed: (event) => this.#keyDownInFrame(event) });
    addEventListener("keydown", pressed);
    // Before the table, which opens a row by the space bar.
    addEventListener("keydown", (event) => event.key === " " && pressed(event), true);
    part("filter").addEventListener("submit", (event) => event.preventDefault());
    part("filter-words").addEventListener("input", () => this.#filter());
    part("unread-only").addEventListener("change", () => this.#filter());
    part("stage").addEventListener("click", ({ target }) => {
      if (target.matches(".tag")) this.filter(target.textContent);
      if (target.matches(".dot")) this.#toggleRead(this.#view?.itemOf(target.closest("feed-cell")));
    });
    part("mark-seen").addEventListener("click", () => this.#markTo(null));
    part("undo").addEventListener("click", () => this.#takeBack());
    part("mark-all").addEventListener("click", () => this.#markAll());
    addEventListener("storage", ({ key }) => key === starredName && this.#readStars());
    beside.addEventListener("change", () => this.#pane.isOpen && this.#takeFocus());
    addEventListener("beforeprint", () => this.#print());
    addEventListener("afterprint", () => this.#printed?.remove());
    part("unread-only").checked = load("freshet unread only", forGood) === "on";
  }

  /** A feed is in sight. */
  show(feed, view) {
    this.#feed = feed;
    this.#view = view;
    this.#marks = marksOf(feed.id);
    view.swipeActions = (item) => this.#swipes(item);
    idle(() => this.#showStars());
    this.#unread = null;
    this.#part("filter").hidden = !this.#part("unread-only").checked;
    if (this.#part("unread-only").checked) this.#filter();
  }

  /** Nothing is in sight; of a feed that lost all its items the one that is read stays. */
  leave(isEmpty = false) {
    if (isEmpty && this.#pane.isOpen) this.#pane.isGone = true;
    else this.#hide();
    this.#part("filter").hidden = true;
    this.#part("filter-words").value = "";
    this.#part("nothing").hidden = true;
    this.#part("toast").hidden = true;
    this.#undo = null;
    this.#view = null;
  }

  /** The feed is another: the item in sight may be, too. */
  changed() {
    const { itemID } = this.#pane;
    const item = itemID && this.#feed.snapshot.item(itemID);
    if (item) this.#show(item, false);
    else if (itemID) this.#sayGone(itemID);
    else this.go(readHash(1));
    this.#count();
    this.#notify();
  }

  /** The item that the address names, or none. */
  go(id) {
    const item = id && this.#feed?.snapshot?.item(id);
    if (item && this.#view) return this.#show(item);
    if (this.#pane.isOpen && this.#pane.isGone && this.#pane.itemID === id) return undefined;
    this.#hide();
    if (!id || !this.#view) return undefined;
    // While the feed comes in parts it may come yet.
    if (this.#feed.hasMore) return this.#fetch(id);
    return this.#feed.token ? this.#sayMissing(id) : undefined;
  }

  /** Shows an item of a long feed whose row was not loaded yet. */
  async #fetch(id) {
    const feed = this.#feed;
    const path = `/feeds/${encodeURIComponent(feed.id)}/items/${encodeURIComponent(id)}`;
    const { document: item } = await feed.service.read(path).catch(() => ({}));
    if (!this.#view || feed !== this.#feed || readHash(1) !== id) return;
    if (item?.id === id) this.#show(item);
    else this.#sayMissing(id);
  }

  /** Says once of an item that an address names that it is not there. */
  async #sayMissing(id) {
    const feed = this.#feed;
    const kept = (await this.stars()).item(feed.id, id);
    if (feed !== this.#feed || !this.#view || readHash(1) !== id) return undefined;
    if (kept) return this.#show(kept);
    if (this.#missing !== id) this.#say(t("itemMissing"));
    this.#missing = id;
    return undefined;
  }

  /** Opens an item: from the list it is an entry of the history, to another one it is none. */
  open(item) {
    const [feed, wayBack] = [this.#feed, this.#wayBack];
    if (wayBack) return wayBack.then(() => feed === this.#feed && this.#view && this.open(item));
    const hash = hashOf(this.#feed.id, item.id);
    const { isFromList, isItem } = history.state ?? {};
    if (isItem) history.replaceState(history.state, "", hash);
    else history.pushState({ isFromList, isItem: true }, "", hash);
    this.#show(item);
    // Beside the list the keyboard stays there.
    if (!beside.matches) this.#pane.focus();
    return undefined;
  }

  close() {
    const { itemID } = this.#pane;
    if (itemID === null) return;
    if (history.state?.isItem) this.#goBack();
    else history.replaceState(history.state, "", hashOf(this.#feed.id));
    this.#hide();
    this.#view?.goTo(itemID);
    this.#view?.table.focus();
  }

  #goBack() {
    const isBack = new Promise((done) => addEventListener("popstate", done, { once: true }));
    this.#wayBack = isBack.then(() => { this.#wayBack = null; });
    history.back();
  }

  /** The items that have a star, those of the key in use. @returns {Promise<Stars>} never fails */
  stars() {
    const key = load("freshet key") ?? "";
    if (key !== this.#starsKey) this.#stars = null;
    this.#starsKey = key;
    return this.#stars ??= Stars.open(key);
  }

  /** Another page of the browser starred something, or took a star away. */
  async #readStars() {
    if (this.#starsKey === "") await (await this.#stars)?.read();
    this.#showStars();
  }

  /** Has rows and the pane show what has a star. */
  async #showStars() {
    const [feed, view] = [this.#feed, this.#view];
    const stars = await this.stars();
    if (view !== this.#view || !view) return;
    view.isStarred = (id) => stars.has(feed.id, id);
    this.#pane.isStarred = stars.has(feed.id, this.#pane.itemID);
  }

  async #star() {
    const feed = this.#feed;
    const item = this.#chosenItem;
    const stars = await this.stars();
    if (!item) return;
    const isStarred = await stars.toggle(feed.id, words(feed.snapshot?.members.title ?? feed.id), item);
    if (!stars.key) save(starredName, new Date().toISOString(), forGood);
    announce(t(isStarred ? "starred" : "unstar"));
    this.#showStars();
  }

  tick() { this.#view?.tick(this.#marks); }

  /** Shows where to look for words; with some, looks for them. */
  filter(text) {
    if (!this.#view) return;
    const [form, field] = [this.#part("filter"), this.#part("filter-words")];
    form.hidden = text === undefined && !form.hidden;
    if (text !== undefined) field.value = text;
    if (form.hidden) {
      field.value = "";
      this.#part("unread-only").checked = false;
    } else {
      field.focus();
    }
    this.#filter();
    if (form.hidden) this.#view.table.focus();
  }

  #filter() {
    const isUnreadOnly = this.#part("unread-only").checked;
    save("freshet unread only", isUnreadOnly ? "on" : "off", forGood);
    const wanted = this.#part("filter-words").value.toLowerCase().split(/\s+/).filter(Boolean);
    if (!isUnreadOnly) this.#unread = null;
    else if (!this.#unread) {
      this.#unread = new Set();
      for (const { id } of this.#all) if (!this.#marks.has(id)) this.#unread.add(id);
    }
    const isUnread = ({ id }) => this.#unread.has(id) || !this.#marks.has(id);
    const chooses = (item) => (!isUnreadOnly || isUnread(item))
      && wanted.every((word) => textOf(item).includes(word));
    this.#view?.filter(isUnreadOnly || wanted.length > 0 ? chooses : null);
    this.#count();
  }

  #count() {
    const nothing = this.#part("nothing");
    nothing.hidden = true;
    if (this.#part("filter").hidden || !this.#view) return;
    const { total, count } = this.#feed.snapshot;
    const [some, all] = [this.#view.items.length, total ?? count];
    this.#part("filter-count").textContent = t("someOf", { some, all });
    if (some > 0 || this.#feed.hasMore) return;
    nothing.hidden = false;
    const hasWords = this.#part("filter-words").value.trim() !== "";
    nothing.replaceChildren(filterNotice(!hasWords, () => this.filter()));
  }

  /** Puts the whole article that is open, or else the whole list, in place of the page. */
  #print() {
    this.#printed?.remove();
    this.#printed = null;
    if (!this.#pane.isOpen && !this.#view) return;
    this.#printed = el("div", { class: "print" });
    if (this.#pane.isOpen) {
      this.#printed.append(...this.#pane.copy());
    } else {
      this.#printed.append(el("h1", {}, this.#part("title").textContent), ...copyOf(this.#view));
    }
    this.#printed.dir = this.#feed.snapshot ? direction(this.#feed.snapshot) : "";
    document.body.append(this.#printed);
  }

  get #all() { return this.#feed?.snapshot?.sections.flatMap(({ items }) => items) ?? []; }

  /** Shows an item, and unless it was there before has the list show where it is. */
  #show(item, isMoved = true) {
    this.#view.reading = item.id;
    this.#pane.show(item, {
      direction: direction(this.#feed.snapshot), settings: document.documentElement.dataset,
    });
    this.#showAround();
    if (!isMoved) return;
    this.#showStars();
    this.#view.goTo(item.id);
    if (!this.#marks.has(item.id)) this.#mark([item.id], true);
    this.#pane.isRead = true;
    this.#takeFocus();
  }

  /** Has the keyboard in an item that lies over the list, unless it is beside that, and in sight. */
  #takeFocus() {
    const { activeElement: active, body } = document;
    const isInSight = active !== body && active?.checkVisibility({ visibilityProperty: true });
    if (!beside.matches && (isPhone() || !isInSight)) this.#pane.focus();
  }

  /** Closes the pane; the keyboard that was in it, or nowhere, is in the list then. */
  #hide() {
    const { activeElement: active, body } = document;
    const hasFocus = this.#pane.isOpen && (this.#pane.hasFocus || active === body);
    this.#pane.hide();
    if (this.#view) this.#view.reading = null;
    if (hasFocus) (this.#view?.table ?? this.#part("title")).focus({ preventScroll: true });
  }

  /** Has the pane show whether there are items before and after the one in it. */
  #showAround() {
    const [before, after] = [-1, 1].map((by) => this.#view.beside(this.#pane.itemID, by));
    // The first of the list stands beside one that is not in it.
    const isIn = before !== after;
    this.#pane.showAround(isIn && before, isIn && after);
  }

  /** Says of an item that it was removed; rows that a limit leaves out were not. */
  #sayGone(id) {
    if (this.#feed.hasMore || !this.#view.isGone(id)) return;
    this.#showAround();
    if (this.#pane.isGone) return;
    this.#pane.isGone = true;
    announce(t("itemGone"));
  }

  #mark(ids, isRead) {
    this.#marks.setRead(ids, isRead, this.#feed.snapshot);
    this.tick();
    this.#notify();
  }

  /** To the next item, or the one before: in the pane, or the keyboard alone. */
  #step(by, isOpened = true) {
    const item = this.#view.beside(this.#view.chosen, by);
    if (!item) return;
    if (isOpened) this.open(item);
    else this.#view.goTo(item.id);
  }

  /** Marks what was seen or passed, down to an item, as read; with null all that was on screen. */
  #markTo(id = this.#view?.chosen) {
    if (this.#view) this.#markMany(this.#view.passed(id));
  }

  #markBelow() {
    const { items, chosen } = this.#view;
    const index = items.findIndex(({ id }) => id === chosen);
    return index < 0 ? false : this.#markMany(items.slice(index + 1));
  }

  #markAll() {
    if (this.#view) this.#markMany(this.#all, this.#undo?.ids);
  }

  /** Marks items as read, and offers to take that back, with marks that were made just before. */
  #markMany(items, before = []) {
    const ids = items.map(({ id }) => id).filter((id) => !this.#marks.has(id));
    this.#mark(ids, true);
    this.#undo = { marks: this.#marks, ids: [...before, ...ids] };
    this.#say(t("markedRead", { count: this.#undo.ids.length }), this.#undo.ids.length > 0);
  }

  /** Shows what was done to marks for a while, and announces it. */
  #say(text, isOffer = false) {
    const [toast, all] = [this.#part("toast"), this.#part("mark-all")];
    const left = this.#all.filter(({ id }) => !this.#marks.has(id)).length;
    toast.hidden = false;
    toast.firstElementChild.textContent = text;
    this.#part("undo").hidden = !isOffer;
    all.hidden = !isOffer || left === 0;
    all.textContent = t("markAll", { count: left });
    announce(text);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => { toast.hidden = true; }, offerTime);
  }

  #takeBack() {
    if (!this.#undo) return false;
    const { marks, ids } = this.#undo;
    this.#undo = null;
    if (marks === this.#marks && this.#view) this.#mark(ids, false);
    return this.#say(t("markedUnread", { count: ids.length }));
  }

  #toggleRead(item) {
    if (!item) return;
    const isRead = !this.#marks.has(item.id);
    this.#mark([item.id], isRead);
    if (item.id === this.#pane.itemID) this.#pane.isRead = isRead;
  }

  #swipes(item) {
    const isRead = this.#marks.has(item.id);
    return [
      { title: t(isRead ? "markUnread" : "markRead"), handler: () => this.#toggleRead(item) },
      { title: t("markTo"), handler: () => this.#markTo(item.id) },
    ];
  }

  #keyDown(event) {
    const { ctrlKey, metaKey, altKey, target } = event;
    if (ctrlKey || metaKey || altKey || event.defaultPrevented || target.closest?.("dialog[open]")) return;
    const isField = target.closest?.("input:not([type=checkbox]), textarea, select");
    if (isField && event.key !== "Escape") return;
    if (this.press(event)) event.preventDefault();
  }

  /** Of keys in an item's frame those that are not for items are the page's. */
  #keyDownInFrame(event) {
    this.#keyDown(event);
    if (event.defaultPrevented || !/^\S$/u.test(event.key)) return;
    const isLeft = this.#part("item").dispatchEvent(new KeyboardEvent(event.type, event));
    if (!isLeft) event.preventDefault();
  }

  /** Does what a key is for. @param {KeyboardEvent} event @returns {boolean} whether it was for anything */
  press(event) {
    // The feed that was opened last is behind a phone's list of them.
    if (isPhone() && readHash(0) === null) return false;
    const key = keyOf(event);
    if (!this.#view && !(key === "Escape" && this.#pane.isOpen)) return false;
    const act = this.#keys[key];
    return act !== undefined && act(event) !== false;
  }

  #keys = {
    j: () => this.#step(1), k: () => this.#step(-1),
    n: () => this.#step(1, false), p: () => this.#step(-1, false),
    o: () => this.#toggle(), "/": () => this.filter(""),
    m: () => this.#toggleRead(this.#chosenItem), a: () => this.#markTo(), A: () => this.#markAll(),
    b: () => this.#markBelow(), z: () => this.#takeBack(),
    f: () => void this.#star(), u: () => this.#toggleUnread(),
    Escape: () => this.#escape(), " ": (event) => this.#page(event),
  };

  /** The item that is open, also where the feed has it no more, or not yet, or else the chosen row's. */
  get #chosenItem() { return this.#pane.item ?? this.#feed.snapshot.item(this.#view.chosen); }

  /** Has the space bar page the item that is open, wherever the keyboard is. */
  #page({ target, shiftKey }) {
    return this.#pane.isOpen && !target.closest?.(operated) && this.#pane.page(shiftKey ? -1 : 1);
  }

  #toggle() {
    if (this.#pane.isOpen) return this.close();
    const { current, items: [first] } = this.#view;
    return current || first ? this.open(current ?? first) : false;
  }

  #toggleUnread() {
    const box = this.#part("unread-only");
    box.checked = !box.checked;
    this.#part("filter").hidden &&= !box.checked;
    this.#filter();
  }

  #escape() {
    if (this.#pane.isOpen) return this.close();
    return this.#part("filter").hidden ? false : this.filter();
  }
}

/** Returns a copy of all that a list has, with its headers. */
function copyOf(view) {
  return view.sections.flatMap(({ items }, number) => {
    const title = headerTitle(view, number);
    return [...title === null ? [] : [el("h2", {}, title)], ...items.map((item) => {
      const cell = new FeedCell();
      cell.show(item, true);
      for (const picture of cell.contentView.querySelectorAll("img")) picture.loading = "eager";
      return cell;
    })];
  });
}

/** The database, its store, and where a tab with a key keeps them until it is closed. */
const [database, store, inTab] = ["freshet stars", "items", "freshet stars"];

/**
 * @typedef {{feed: string, title: string, item: {id: string}, starred: string}} Star
 * an item as it was, in a feed of that title, and when it was starred
 */

/**
 * The items that somebody starred on this device, whole, so that they stay when a feed loses them.
 * They are in IndexedDB; what a key opened is kept as long as the key, until the tab closes.
 */
export class Stars {
  /** The key that was in use. */
  key;
  /** @type {Map<string, Star>} */
  #all = new Map();
  /** @type {?IDBDatabase} null where nothing is kept for good */
  #kept = null;
  /** What the browser had no room for: of each item its star, or none. @type {Map<string, ?Star>} */
  #unsaved = new Map();

  constructor(key) {
    this.key = key;
  }

  /** Opens what is kept. @param {string} key empty for none */
  static async open(key) {
    const stars = new Stars(key);
    await stars.read();
    return stars;
  }

  /** Takes up what is kept, and leaves what is not. */
  async read() {
    try {
      const all = this.key ? JSON.parse(load(inTab) || "[]") : await this.#readKept();
      this.#all = new Map(all.map((star) => [nameOf(star.feed, star.item.id), star]));
    } catch {
      // Where the browser keeps nothing they last as long as the page.
    }
    for (const [name, star] of this.#unsaved) {
      if (star) this.#all.set(name, star);
      else this.#all.delete(name);
    }
  }

  async #readKept() {
    this.#kept ??= await openDatabase();
    return done(this.#kept.transaction(store).objectStore(store).getAll());
  }

  /** All of them, the last one first. @returns {Star[]} */
  get all() {
    return [...this.#all.values()].sort((one, other) => (one.starred < other.starred ? 1 : -1));
  }

  has(feed, id) { return this.#all.has(nameOf(feed, id)); }

  /** The item as it was when it was starred; undefined if it is not. */
  item(feed, id) { return this.#all.get(nameOf(feed, id))?.item; }

  /** Stars an item, or takes the star away. @returns {Promise<boolean>} whether it has one now */
  async toggle(feed, title, item) {
    const name = nameOf(feed, item.id);
    const isStarred = !this.#all.delete(name);
    const star = { feed, title, item, starred: new Date().toISOString() };
    if (isStarred) this.#all.set(name, star);
    if (this.key) save(inTab, JSON.stringify([...this.#all.values()]));
    this.#unsaved.set(name, isStarred ? star : null);
    try {
      const items = this.#kept.transaction(store, "readwrite").objectStore(store);
      await done(isStarred ? items.put(star, name) : items.delete(name));
      this.#unsaved.delete(name);
    } catch {
      // Where there is no room, or no database, it lasts as long as the page.
    }
    return isStarred;
  }

  /**
   * All stars as a JSON Feed, and what was read of each of some feeds. No request is made for it.
   * @param {string[]} feeds
   */
  export(feeds) {
    const items = this.all.map(({ feed, title, item, starred }) =>
      ({ ...item, _freshet: { feed, feed_title: title, starred } }));
    const read = Object.fromEntries(feeds.map((id) => [id, [...marksOf(id).ids]]));
    return JSON.stringify({ version: "https://jsonfeed.org/version/1.1", title: "Freshet", items,
      _freshet: { read } }, null, 1);
  }
}

function nameOf(feed, id) { return JSON.stringify([feed, id]); }

function openDatabase() {
  const request = indexedDB.open(database, 1);
  request.onupgradeneeded = () => request.result.createObjectStore(store);
  return done(request);
}

/** What comes of a request to IndexedDB, once it is kept: that there is no room may be found out last. */
function done(request) {
  const { transaction } = request;
  return new Promise((resolve, reject) => {
    const succeed = () => resolve(request.result);
    if (transaction) Object.assign(transaction, { oncomplete: succeed, onabort: reject });
    else Object.assign(request, { onsuccess: succeed, onerror: reject });
  });
}
