import { el } from "../ui/page.js";
import { formatRelative, t } from "../words.js";
import { banner, statusWords } from "./notices.js";

/**
 * How the reader's page is operated: keys, the way back, search, dialogs. Keys that concern the items
 * of a feed are in `#keys` of ItemController.js, all others here in `#keyDown`. A new one is also said
 * in the `keys-dialog` of index.html and, by the name that it has there, in each file of `words/`.
 */
export class KeyboardShortcuts {
  #reader;
  #part;
  /** What looks for words in all feeds, once it was asked for. */
  #found = null;
  /** What is listed in place of the feeds: unread, starred or null. */
  #kind = null;

  /** @param {import("./Reader.js").Reader} reader */
  constructor(reader) {
    this.#reader = reader;
    this.#part = reader.part;
    const part = this.#part;
    part("back").addEventListener("click", (event) => this.#goBack(event));
    part("search-words").addEventListener("focus", () => this.#loadSearch());
    part("search-words").addEventListener("input", () => this.#search());
    part("search").addEventListener("submit", (event) => {
      event.preventDefault();
      this.#found?.openFirst();
    });
    if (part("search-words").value) this.#search();
    addEventListener("keydown", (event) => this.#keyDown(event));
    matchMedia("(max-width: 44rem)").addEventListener("change", () => reader.open());
    this.#takeFocus();
  }

  /** Puts the focus where it belongs on a phone, if another screen came before this did. */
  #takeFocus() {
    const { activeElement, body } = document;
    if (activeElement !== body && isInSight(activeElement)) return;
    if (!this.#reader.named || history.state?.isFromList) this.#focus(this.#reader.feed?.id);
  }

  #keyDown(event) {
    const { repeat, ctrlKey, metaKey, altKey, target } = event;
    const key = keyOf(event);
    if (key === "Escape" && target.id === "search-words") return this.#leaveSearch(event);
    // One that was closed just now has the focus until the next frame.
    const dialog = target.closest("dialog[open]");
    const isField = dialog && dialog !== this.#part("keys-dialog") || target.closest("input:not([type=checkbox])");
    if (repeat || ctrlKey || metaKey || altKey || isField) return;
    if (key === "?") {
      if (dialog) dialog.close();
      else showKeys();
      event.preventDefault();
    }
    if (dialog) return;
    const { isPhone, named, itemNamed, items } = this.#reader;
    if (key.toLowerCase() === "r") this.#reader.refresh();
    if (key.toLowerCase() === "s" && isInSight(this.#part("search-words"))) {
      this.#part("search-words").select();
      event.preventDefault();
    }
    if (key === "Escape" && isPhone && named && !itemNamed) this.#goBack();
    // Of keys for items, which are all but those above, none is lost while their code is on its way.
    if (!items && /^[^\s?rRsS]$/u.test(key)) {
      event.preventDefault();
      this.#reader.loadRest().then((reader) => reader.items?.press(event));
    }
  }

  /** Looks for what was written, in all feeds. */
  async #search() {
    if (this.#isSearch) await this.#loadSearch();
    const { value } = this.#part("search-words");
    // The feeds are back at once, in the very frame of the key.
    if (this.#found) return this.#found.show(value, this.#kind);
    // The next letter asks for the code anew.
    this.#part("found").replaceChildren(el("div", { class: "none", role: "status" }, el("h3", {}, t("lost"))));
    this.#part("found").hidden = !this.#isSearch;
    return undefined;
  }

  get #isSearch() { return this.#kind || this.#part("search-words").value.trim(); }

  /** Fetches what searches, when that is first wanted. */
  async #loadSearch() {
    if (this.#found) return;
    const { Search } = await import("./Search.js").catch(() => ({}));
    if (Search) this.#found ??= new Search(this.#reader);
  }

  #leaveSearch(event) {
    event.preventDefault();
    this.#part("search-words").value = "";
    this.#part("search-words").blur();
    this.#list(null);
  }

  listUnread() { this.#list("unread"); }
  listStarred() { this.#list("starred"); }

  /** Lists what is unread or starred in all feeds in place of those; asked for again, the feeds. */
  #list(kind) {
    this.#kind = this.#kind === kind ? null : kind;
    for (const one of ["unread", "starred"]) this.#part(`list-${one}`).ariaPressed = String(one === this.#kind);
    this.#search();
  }

  /** Shows what the address names now; on a phone that may be another screen. */
  goTo(wasList) {
    const reader = this.#reader;
    const before = reader.feed?.id;
    this.#part("app").classList.add("moves");
    reader.open(reader.isPhone && Boolean(reader.named) && wasList);
    if (!reader.named) reader.loadList();
    this.#focus(before, wasList);
  }

  /** Puts the focus on a phone's screen: on its title, or on the feed or the row that one comes from. */
  #focus(before, wasList = true) {
    const { isPhone, named, itemNamed, list, feed, view } = this.#reader;
    if (!isPhone) return;
    if (!named) list.focus(before);
    else if (!itemNamed && !wasList && view && before === feed.id) view.table.focus();
    else if (!itemNamed) this.#part("title").focus({ preventScroll: true });
  }

  /** To the list that this feed was opened from, rather than to one more of it. */
  #goBack(event) {
    // The reader itself went there.
    if (event?.defaultPrevented) return;
    event?.preventDefault();
    if (history.state?.isFromList) history.back();
    else location.replace("#");
  }

  // What buttons of the page do, by their `data-act`.
  showKeys() { showKeys(); }
  async askSettings() { (await this.#reader.loadRest()).session?.askSettings(); }
  askKey() { this.#reader.askKey(); }
  async filter() { (await this.#reader.loadRest()).items?.filter(); }

  /** Says how the feed in sight is, above its rows. */
  render() {
    const { feed, outcome, view } = this.#reader;
    const { snapshot, error, state, refreshed } = feed ?? {};
    this.#part("status").dataset.state = state ?? "idle";
    this.#part("status").textContent = snapshot ? statusWords(feed, outcome) : "";
    banner(this.#part("banner"), snapshot && error, feed ?? {}, () => this.#reader.refresh());
    if (view && refreshed) {
      view.control.attributedTitle = state === "refreshing" ? t("refreshing")
        : t("updated", { ago: formatRelative(refreshed) });
    }
  }

  /** Shows what came of a refresh for a while, in place of how old it is. */
  notify(words) {
    const reader = this.#reader;
    reader.outcome = words;
    reader.render();
    setTimeout(() => {
      if (reader.outcome === words) reader.outcome = null;
      reader.render();
    }, 4000);
  }
}

/**
 * Returns the key that shortcuts go by: on keyboards that write other letters than Latin ones, and
 * while an input method composes, the one in its place.
 * @param {KeyboardEvent} event
 */
export function keyOf({ key, code, shiftKey }) {
  const isKnown = key !== "Process" && key !== "Unidentified" && !/^[^\0-\x7f]$/u.test(key);
  const [, letter] = /^Key([A-Z])$/.exec(code ?? "") ?? [];
  if (isKnown || !letter && code !== "Slash") return key;
  if (!letter) return shiftKey ? "?" : "/";
  return shiftKey ? letter : letter.toLowerCase();
}

/** Whether a part of the page is shown: a phone's other screen is there, and hidden. */
function isInSight(part) { return part.checkVisibility({ visibilityProperty: true }); }

const part = (id) => document.getElementById(id);

/** Shows what keys do. */
export function showKeys() { showDialog(part("keys-dialog")); }

/** Shows a dialog, which says nothing yet. @param {HTMLDialogElement} dialog */
export function showDialog(dialog) {
  // Of the last time; what is left by Escape says nothing.
  dialog.returnValue = "";
  dialog.showModal();
}
