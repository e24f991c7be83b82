import { announce, prefersReducedMotion } from "../ui/page.js";
import { t } from "../words.js";
import { href, titleOf, words } from "./members.js";

/**
 * What a frame may do that shows an item: nothing but to open links in tabs of their own. No script
 * runs in it; it is of this origin, so that it gets its style sheet and hands on keys.
 */
const sandbox = "allow-same-origin allow-popups allow-popups-to-escape-sandbox";

/** One item, in a pane beside the list or over it. */
export class ItemPane {
  #place;
  #frame = null;
  #buttons = {};
  #item = null;
  #pressed;
  /** Says that the item was removed. */
  #note = document.createElement("p");

  /**
   * @param {HTMLElement} place
   * @param {{close, step: (by: number) => void, mark, star, pressed: (event: KeyboardEvent) => void}}
   * actions
   */
  constructor(place, { close, step, mark, star, pressed }) {
    this.#place = place;
    this.#pressed = pressed;
    const bar = document.createElement("div");
    bar.className = "item-bar";
    bar.role = "toolbar";
    bar.ariaLabel = t("item");
    const add = (name, sign, label, act) => {
      const made = document.createElement(act ? "button" : "a");
      if (act) Object.assign(made, { type: "button" }).addEventListener("click", act);
      else Object.assign(made, { target: "_blank", rel: "noopener noreferrer" });
      made.className = `sign ${name}`;
      made.textContent = sign;
      made.ariaLabel = made.title = label;
      this.#buttons[name] = made;
      bar.append(made);
    };
    add("close", "✕", t("close"), close);
    add("previous", "↑", t("previous"), () => step(-1));
    add("next", "↓", t("next"), () => step(1));
    add("mark", "○", t("markUnread"), mark);
    add("star", "☆", t("star"), star);
    add("share", t("share"), t("share"), () => this.#share());
    add("copy", t("copyLink"), t("copyLink"), () => this.#copy());
    add("original", "", t("openOriginal"));
    const word = document.createElement("span");
    word.textContent = `${t("original")} `;
    this.#buttons.original.append(word, "↗");
    this.#note.className = "gone";
    this.#note.textContent = t("itemGone");
    this.#note.hidden = true;
    place.replaceChildren(bar, this.#note);
  }

  get isOpen() { return !this.#place.hidden; }
  get item() { return this.#item; }
  get itemID() { return this.#item?.id ?? null; }

  /** Whether the item was removed while it is read: its text stays. */
  get isGone() { return !this.#note.hidden; }
  set isGone(isGone) { this.#note.hidden = !isGone; }

  /** Whether the item counts as read. */
  set isRead(isRead) {
    const { mark } = this.#buttons;
    mark.textContent = isRead ? "○" : "●";
    mark.ariaLabel = mark.title = t(isRead ? "markUnread" : "markRead");
  }

  /** Whether the item has a star. */
  set isStarred(isStarred) {
    const { star } = this.#buttons;
    star.textContent = isStarred ? "★" : "☆";
    star.ariaLabel = star.title = t(isStarred ? "unstar" : "star");
  }

  /** Says whether there is an item before, and one after. */
  showAround(before, after) {
    this.#buttons.previous.disabled = !before;
    this.#buttons.next.disabled = !after;
  }

  /** Returns a copy of the item's page, which is harmless. @returns {Node[]} */
  copy() {
    const { body } = this.#frame?.contentDocument ?? {};
    return [...body?.childNodes ?? []].map((node) => document.importNode(node, true));
  }

  /** Scrolls the item by a page, 1 down or -1 up. */
  page(by) {
    const view = this.#frame?.contentDocument?.scrollingElement;
    const behavior = prefersReducedMotion() ? "instant" : "smooth";
    view?.scrollBy({ top: by * Math.max(view.clientHeight - 48, 40), behavior });
  }

  /**
   * Shows an item; one that it shows already is changed in its place.
   * @param {{direction, settings}} around @returns {?Promise<void>} until its page is in the frame
   */
  show(item, around) {
    const wasOpen = this.isOpen;
    this.#place.hidden = false;
    this.isGone = false;
    const { share, copy, original } = this.#buttons;
    const address = href(item.url);
    share.hidden = !navigator.share;
    original.hidden = !address;
    if (address) original.href = address;
    copy.textContent = t("copyLink");
    if (JSON.stringify(item) === JSON.stringify(this.#item) && wasOpen) return null;
    const isSame = wasOpen && item.id === this.#item?.id;
    this.#item = item;
    this.#place.ariaLabel = title(item);
    return this.#draw(item, around, isSame);
  }

  /** Fills the frame, or makes the page that is read another version of itself, where it stands. */
  async #draw(item, around, isSame) {
    const pages = await import("./article.js").catch(() => null);
    if (item !== this.#item) return;
    const markup = pages?.article(item, around) ?? t("lost");
    if (!isSame || !this.#frame || !pages?.changeArticle(this.#frame, markup)) this.#fill(markup);
    this.#frame.title = title(item);
  }

  hide() {
    this.#place.hidden = true;
    this.isGone = false;
    this.#item = null;
    this.#frame?.remove();
    this.#frame = null;
  }

  /** Puts the keyboard's focus on it. */
  focus() { this.#buttons.close.focus({ preventScroll: true }); }

  /** A frame for each item: one that shows another would be an entry of the history. */
  #fill(markup) {
    const frame = document.createElement("iframe");
    frame.setAttribute("sandbox", sandbox);
    // Of films.
    frame.allow = "fullscreen";
    frame.title = title(this.#item);
    frame.srcdoc = markup;
    frame.addEventListener("load", () => {
      frame.dataset.isLoaded = "";
      frame.contentDocument?.addEventListener("keydown", this.#pressed);
    });
    this.#frame?.remove();
    this.#place.append(frame);
    this.#frame = frame;
  }

  get #address() { return href(this.#item.url) ?? location.href; }

  #share() {
    // Whoever changes their mind has shared nothing.
    navigator.share({ title: title(this.#item), url: this.#address }).catch(() => {});
  }

  async #copy() {
    const { copy } = this.#buttons;
    try {
      await navigator.clipboard.writeText(this.#address);
      copy.textContent = t("copied");
    } catch {
      copy.textContent = t("notAllowed");
    }
    announce(copy.textContent);
  }
}

function title(item) { return words(titleOf(item)).slice(0, 300); }
