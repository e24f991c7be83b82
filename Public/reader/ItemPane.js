import { announce } from "../ui/announce.js";
import { t } from "../words.js";
import { article } from "./article.js";
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

  /**
   * @param {HTMLElement} place
   * @param {{close, step: (by: number) => void, pressed: (event: KeyboardEvent) => void}} actions
   */
  constructor(place, { close, step, pressed }) {
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
    add("share", t("share"), t("share"), () => this.#share());
    add("copy", t("copyLink"), t("copyLink"), () => this.#copy());
    add("original", `${t("original")} ↗`, t("openOriginal"));
    place.replaceChildren(bar);
  }

  get isOpen() { return !this.#place.hidden; }
  get itemID() { return this.#item?.id ?? null; }

  /** Shows an item. @param {{direction, settings, hasPrevious, hasNext}} around */
  show(item, around) {
    const wasOpen = this.isOpen;
    this.#place.hidden = false;
    const { previous, next, share, copy, original } = this.#buttons;
    previous.disabled = !around.hasPrevious;
    next.disabled = !around.hasNext;
    const address = href(item.url);
    share.hidden = !navigator.share;
    original.hidden = !address;
    if (address) original.href = address;
    copy.textContent = t("copyLink");
    if (JSON.stringify(item) === JSON.stringify(this.#item) && wasOpen) return;
    this.#item = item;
    this.#fill(article(item, around));
    this.#place.ariaLabel = title(item);
  }

  hide() {
    this.#place.hidden = true;
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
    frame.addEventListener("load", () =>
      frame.contentDocument?.addEventListener("keydown", this.#pressed));
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
