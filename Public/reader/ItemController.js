import { announce } from "../ui/announce.js";
import { load, save } from "../ui/memory.js";
import { t } from "../words.js";
import { ItemPane } from "./ItemPane.js";
import { textOf } from "./members.js";
import { direction, readHash } from "./prerender.js";
import { marksOf } from "./ReadMarks.js";

const forGood = () => localStorage;

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

  /** @param {(id: string) => HTMLElement} part @param {() => void} notify the counts are others */
  constructor(part, notify) {
    this.#part = part;
    this.#notify = notify;
    const pressed = (event) => this.#keyDown(event);
    this.#pane = new ItemPane(part("item"),
      { close: () => this.close(), step: (by) => this.#step(by), pressed });
    addEventListener("keydown", pressed);
    part("filter").addEventListener("submit", (event) => event.preventDefault());
    part("filter-words").addEventListener("input", () => this.#filter());
    part("unread-only").addEventListener("change", () => this.#filter());
    part("stage").addEventListener("click", ({ target }) => {
      if (target.matches(".tag")) this.filter(target.textContent);
    });
    part("unread-only").checked = load("freshet unread only", forGood) === "on";
  }

  /** A feed is in sight. */
  show(feed, view) {
    this.#feed = feed;
    this.#view = view;
    this.#marks = marksOf(feed.id);
    view.swipeActions = (item) => this.#swipes(item);
    this.#unread = null;
    this.#part("filter").hidden = !this.#part("unread-only").checked;
    if (this.#part("unread-only").checked) this.#filter();
  }

  /** Nothing is in sight. */
  leave() {
    this.#pane.hide();
    this.#part("filter").hidden = true;
    this.#part("filter-words").value = "";
    this.#view = null;
  }

  /** The feed is another: the item in sight may be, too. */
  changed() {
    const { itemID } = this.#pane;
    const item = itemID && this.#feed.snapshot.item(itemID);
    if (item) this.#show(item, false);
    this.#count();
    this.#notify();
  }

  /** The item that the address names, or none. */
  go(id) {
    const item = id && this.#feed?.snapshot?.item(id);
    if (item && this.#view) return this.#show(item);
    if (this.#pane.isOpen) this.#pane.hide();
    return id && this.#view && this.#feed.hasMore ? this.#fetch(id) : undefined;
  }

  /** Shows an item of a long feed whose row was not loaded yet. */
  async #fetch(id) {
    const feed = this.#feed;
    const path = `/feeds/${encodeURIComponent(feed.id)}/items/${encodeURIComponent(id)}`;
    const { document: item } = await feed.service.read(path).catch(() => ({}));
    if (item?.id === id && this.#view && feed === this.#feed && readHash(1) === id) this.#show(item);
  }

  /** Opens an item: from the list it is an entry of the history, to another one it is none. */
  open(item) {
    const hash = `#${encodeURIComponent(this.#feed.id)}/${encodeURIComponent(item.id)}`;
    const { isFromList, isItem } = history.state ?? {};
    if (isItem) history.replaceState(history.state, "", hash);
    else history.pushState({ isFromList, isItem: true }, "", hash);
    this.#show(item);
    if (matchMedia("(max-width: 44rem)").matches) this.#pane.focus();
  }

  close() {
    const { itemID } = this.#pane;
    if (itemID === null) return;
    if (history.state?.isItem) history.back();
    else history.replaceState(history.state, "", `#${encodeURIComponent(this.#feed.id)}`);
    this.#pane.hide();
    this.#view?.goTo(itemID);
    this.#view?.table.focus();
  }

  tick() { this.#view?.tick(this.#marks); }

  /** Shows where to look for words; with some, looks for them. */
  filter(words) {
    if (!this.#view) return;
    const [form, field] = [this.#part("filter"), this.#part("filter-words")];
    form.hidden = words === undefined && !form.hidden;
    if (words !== undefined) field.value = words;
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
    const words = this.#part("filter-words").value.toLowerCase().split(/\s+/).filter(Boolean);
    if (!isUnreadOnly) this.#unread = null;
    else if (!this.#unread) {
      this.#unread = new Set();
      for (const { id } of this.#all) if (!this.#marks.has(id)) this.#unread.add(id);
    }
    const isUnread = ({ id }) => this.#unread.has(id) || !this.#marks.has(id);
    const chooses = (item) => (!isUnreadOnly || isUnread(item))
      && words.every((word) => textOf(item).includes(word));
    this.#view?.filter(isUnreadOnly || words.length > 0 ? chooses : null);
    this.#count();
  }

  #count() {
    if (this.#part("filter").hidden || !this.#view) return;
    const { total, count } = this.#feed.snapshot;
    const [some, all] = [this.#view.items.length, total ?? count];
    this.#part("filter-count").textContent = t("someOf", { some, all });
  }

  get #all() { return this.#feed?.snapshot?.sections.flatMap(({ items }) => items) ?? []; }

  /** Shows an item, and unless it was there before has the list show where it is. */
  #show(item, isMoved = true) {
    const { items } = this.#view;
    const place = items.findIndex(({ id }) => id === item.id);
    this.#pane.show(item, {
      direction: direction(this.#feed.snapshot), settings: document.documentElement.dataset,
      hasPrevious: place > 0, hasNext: place >= 0 && place < items.length - 1,
    });
    if (!isMoved) return;
    this.#view.goTo(item.id);
    if (!this.#marks.has(item.id)) this.#mark([item.id], true);
  }

  #mark(ids, isRead) {
    this.#marks.setRead(ids, isRead, this.#feed.snapshot);
    this.tick();
    this.#notify();
  }

  /** To the next item, or the one before: in the pane, or the keyboard alone. */
  #step(by, isOpened = true) {
    const { items, current } = this.#view;
    const id = this.#pane.itemID ?? current?.id;
    const place = items.findIndex((item) => item.id === id);
    const item = place < 0 ? items[0] : items[place + by];
    if (!item) return;
    if (isOpened) this.open(item);
    else this.#view.goTo(item.id);
  }

  /** All that is above an item, and it, was read. */
  #markTo(here = this.#pane.itemID ?? this.#view.current?.id) {
    const { items } = this.#view;
    const place = items.findIndex(({ id }) => id === here);
    const ids = items.slice(0, place < 0 ? items.length : place + 1).map(({ id }) => id);
    this.#mark(ids, true);
    announce(t("markedRead", { count: ids.length }));
  }

  #swipes({ id }) {
    const isRead = this.#marks.has(id);
    return [
      { title: t(isRead ? "markUnread" : "markRead"), handler: () => this.#mark([id], !isRead) },
      { title: t("markTo"), handler: () => this.#markTo(id) },
    ];
  }

  #keyDown(event) {
    const { key, ctrlKey, metaKey, altKey, target } = event;
    if (ctrlKey || metaKey || altKey || event.defaultPrevented || !this.#view) return;
    if (target.closest?.("dialog")) return;
    const isField = target.closest?.("input:not([type=checkbox]), textarea, select");
    if (isField && key !== "Escape") return;
    const act = this.#keys[key];
    if (!act || act() === false) return;
    event.preventDefault();
  }

  #keys = {
    j: () => this.#step(1), k: () => this.#step(-1),
    n: () => this.#step(1, false), p: () => this.#step(-1, false),
    o: () => this.#toggle(), "/": () => this.filter(""), "?": () => this.#sheet(),
    m: () => this.#markCurrent(), a: () => this.#markTo(), u: () => this.#toggleUnread(),
    Escape: () => this.#escape(),
  };

  #toggle() {
    if (this.#pane.isOpen) return this.close();
    const { current, items: [first] } = this.#view;
    return current || first ? this.open(current ?? first) : false;
  }

  #markCurrent() {
    const id = this.#pane.itemID ?? this.#view.current?.id;
    if (id) this.#mark([id], !this.#marks.has(id));
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

  async #sheet() {
    const dialogs = await import("./dialogs.js").catch(() => null);
    dialogs?.showKeys();
  }
}
