import { say } from "../words/pages.js";

/** A list of the server's, a page at a time. */
export class ListView {
  #part;
  #name;
  #row;
  #read;
  /** The queries of the pages before this one, and of this one. */
  #trail = [""];
  #next;
  /** Counts what was asked, so that an answer that comes late shows nothing. */
  #turn = 0;

  /**
   * @param {HTMLElement} section with a table, a note, and buttons
   * @param {string} name of the list in its document
   * @param {(entry: any) => HTMLElement} row
   * @param {(path: string) => Promise<any>} read
   */
  constructor(section, name, row, read) {
    this.#part = (selector) => section.querySelector(selector);
    this.#name = name;
    this.#row = row;
    this.#read = read;
    const press = (button, step) => this.#part(button).addEventListener("click", () => this.#go(step));
    press("[data-back]", () => this.#trail.length > 1 && this.#trail.pop());
    press("[data-on]", (next) => next && this.#trail.push(next));
    this.#part("[data-prefix]")?.addEventListener("input", () => this.#go(() => (this.#trail = [""])));
    this.#part("[data-failing]")?.addEventListener("change", () => this.#go(() => (this.#trail = [""])));
  }

  #go(step) {
    step(this.#next);
    // Until that is shown, nobody has seen what comes after it.
    this.#next = undefined;
    this.load().catch(() => {});
  }

  /** What the first page is asked by. */
  get #first() {
    const query = new URLSearchParams({ limit: "20" });
    const prefix = this.#part("[data-prefix]")?.value.trim();
    if (prefix) query.set("prefix", prefix);
    if (this.#part("[data-failing]")?.checked) query.set("failing", "true");
    return `?${query}`;
  }

  /** Shows the page as it is now. @returns {Promise<void>} @throws {OperatorError} */
  async load() {
    const turn = this.#turn += 1;
    const page = await this.#read(this.#name + (this.#trail.at(-1) || this.#first));
    if (turn !== this.#turn) return;
    const entries = page[this.#name];
    // Whoever is about to press a button finds it where it was.
    const focused = this.#focus();
    this.#part("tbody").replaceChildren(...entries.map(this.#row));
    if (focused !== null) this.#part(`tbody tr:nth-child(${focused}) button`)?.focus();
    this.#next = page.next;
    this.#part("[data-back]").disabled = this.#trail.length === 1;
    this.#part("[data-on]").disabled = page.next === undefined;
    this.#part(".pages").hidden = this.#trail.length === 1 && page.next === undefined;
    this.#part(".scroller").hidden = entries.length === 0;
    this.#say(entries.length === 0 ? say("There are none.") : page.next || this.#trail.length > 1
      ? say("{some} of {all}", { some: entries.length, all: page.total }) : "");
  }

  /** The row whose button has the focus, from 1. */
  #focus() {
    const row = document.activeElement?.closest("tr");
    return row && this.#part("tbody").contains(row) ? row.rowIndex : null;
  }

  #say(text) {
    const note = this.#part("[data-note]");
    if (note.textContent !== text) note.textContent = text;
  }
}
