import { say } from "../pageTexts.js";
import { formatRelative, language } from "../words.js";
import { el } from "../ui/page.js";

/** How many versions are listed at a time, and how many items of one are shown. */
const [page, MAX_ITEMS] = [10, 100];

const counts = { inserted: "new", moved: "moved", updated: "changed", removed: "gone" };

/** Says what became of items; empty where nothing did. @param {Record<string, number>} [items] */
export function changeWords(items) {
  return Object.entries(counts).filter(([name]) => items?.[name] > 0)
    .map(([name, what]) => say(`{count} ${what}`, { count: items[name] })).join(say(", "));
}

/** The versions of a feed: when, who and what changed. One can be looked at, and taken back. */
export class VersionList {
  #note = el("p", { class: "note", role: "status" });
  #list = el("ol", { class: "versions" });
  #older = button(say("Older versions"), () => this.#load(this.#next));
  /** @type {?import("../freshet/Service.js").Service} */
  #service = null;
  #feed = "";
  /** The version that was the current one when the list was read. */
  #current = "";
  #next = "";
  /** Counts what was asked, so that an answer that comes late shows nothing. */
  #turn = 0;

  /** @param {HTMLElement} panel that it is put into */
  constructor(panel) {
    this.#older.hidden = true;
    panel.append(this.#note, this.#list, this.#older);
  }

  /** Shows the newest versions of a feed, by a service whose key may publish to it. */
  show(service, feed) {
    if (feed !== this.#feed) this.clear();
    [this.#service, this.#feed] = [service, feed];
    return this.#load(`?limit=${page}`);
  }

  /** Shows nothing. */
  clear() {
    this.#turn += 1;
    this.#older.hidden = true;
    this.#note.textContent = "";
    this.#list.replaceChildren();
  }

  get #path() { return `/feeds/${encodeURIComponent(this.#feed)}`; }

  async #load(query, said = "") {
    const turn = this.#turn += 1;
    const isFirst = !query.includes("before=");
    try {
      const { document } = await this.#service.read(`${this.#path}/versions${query}`);
      if (turn !== this.#turn) return;
      if (isFirst) this.#current = document.versions[0]?.token;
      const rows = document.versions.map((version) => this.#row(version));
      if (isFirst) this.#list.replaceChildren(...rows);
      else this.#list.append(...rows);
      if (!isFirst) rows[0]?.querySelector("button")?.focus();
      this.#next = document.next ? new URL(document.next, "http://server.invalid").search : "";
      this.#older.hidden = !this.#next;
      this.#note.textContent = said;
    } catch (error) {
      if (turn !== this.#turn) return;
      if (isFirst) this.#list.replaceChildren();
      this.#older.hidden = true;
      this.#note.textContent = words(error);
    }
  }

  #row({ token, published, by, items, count }) {
    const time = new Date(published);
    const about = el("p", { class: "about", id: `version-${token}` },
      el("time", { datetime: published, title: time.toLocaleString(language) }, formatRelative(time)),
      " · ", el("bdi", {}, author(by)));
    const changes = [changeWords(items), say("Items: {count}", { count })].filter(Boolean).join(" · ");
    const isCurrent = token === this.#current;
    const actions = el("p", { class: "acts" });
    const row = el("li", {}, about, el("p", { class: "what" }, isCurrent
      ? `${changes} · ${say("the current one")}` : changes), actions);
    const show = button(say("Show"), () => this.#show(token, count, row, show));
    const back = button(say("Take back"), () => this.#ask(token, row, back));
    for (const one of [show, back]) one.setAttribute("aria-describedby", about.id);
    show.ariaExpanded = "false";
    actions.append(...isCurrent ? [show] : [show, back]);
    return row;
  }

  /** Shows what a version had, below its row, or no longer. */
  async #show(token, count, row, show) {
    const shown = row.querySelector("pre");
    show.ariaExpanded = String(!shown);
    if (shown) return shown.remove();
    const text = el("pre", { class: "answer" }, say("Loading …"));
    text.tabIndex = 0;
    row.append(text);
    try {
      const { document } = await this.#service.read(`${this.#path}?version=${token}&limit=${MAX_ITEMS}`);
      const more = count > MAX_ITEMS ? `\n${say("and {more} more", { more: count - MAX_ITEMS })}` : "";
      const { kind, feed, token: _, count: __, order, total, ...content } = document;
      text.textContent = JSON.stringify(content, null, 1) + more;
    } catch (error) {
      text.textContent = words(error);
    }
  }

  /** Says what it would do to take a version back, and whether that is meant. */
  async #ask(token, row, back) {
    back.disabled = true;
    const path = `${this.#path}/restore?version=${token}`;
    const options = { method: "POST", headers: { "If-Match": `"${this.#current}"` } };
    try {
      const answer = await this.#service.request(`${path}&dry-run=true`, options);
      const { changed, items } = await answer.json();
      const question = el("p", { class: "question", role: "alert" }, changed
        ? say("Readers get it as a new version: {what}.", { what: changeWords(items) || say("other sections or members") })
        : say("It is the same as the current version."));
      const end = () => {
        question.remove();
        back.disabled = false;
        back.focus();
      };
      const key = crypto.getRandomValues(new Uint32Array(4)).join("-");
      const headers = { ...options.headers, "Idempotency-Key": key };
      const meant = button(say("Take it back"), () => {
        meant.disabled = true;
        return this.#takeBack(path, { ...options, headers }, end);
      });
      meant.className = "primary";
      question.append(...changed ? [meant] : [], button(say("Cancel"), end));
      row.append(question);
      question.querySelector("button").focus();
    } catch (error) {
      back.disabled = false;
      await this.#refused(error);
    }
  }

  async #takeBack(path, options, end) {
    try {
      const { items } = await (await this.#service.request(path, options)).json();
      await this.#load(`?limit=${page}`,
        say("Taken back: {what}.", { what: changeWords(items) || say("other sections or members") }));
      this.#list.querySelector("button")?.focus();
    } catch (error) {
      end();
      await this.#refused(error);
    }
  }

  /** Says why something was refused, with the list as it is now where that is the reason. */
  async #refused(error) {
    if (error.status === 412) {
      return this.#load(`?limit=${page}`, say("Somebody published meanwhile. These are the versions now."));
    }
    this.#note.textContent = words(error);
  }
}

/** Who published a version. */
function author(by) {
  if (by?.restore) return say("taken back to {token}", { token: by.restore });
  if (by?.source) return say("its source");
  if (by?.derived) return say("made of other feeds");
  return by?.key ?? by?.kid ?? say("not known any more");
}

/** Why there are no versions, or none could be taken back. */
function words({ status, message }) {
  if (status === 401) return say("The versions of a feed are shown to a key that may publish to it.");
  if (status === 403) return say("This key may not publish to this feed.");
  if (status === 404) return say("There is no such feed here, or not for this key.");
  return status ? message : say("The server does not answer.");
}

/** @param {string} label @param {() => void} act */
function button(label, act) {
  const made = el("button", { type: "button" }, label);
  made.addEventListener("click", act);
  return made;
}
