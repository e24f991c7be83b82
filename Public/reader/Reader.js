import { Feed } from "../freshet/Feed.js";
import { nextFrame } from "../freshet/nextFrame.js";
import { Service } from "../freshet/Service.js";
import { recall, remember } from "../ui/memory.js";
import { FeedListView } from "./FeedListView.js";
import { said } from "./FeedCell.js";
import { addressed } from "./addressed.js";
import { firstRows, level } from "./firstRows.js";
import { ago, banner, failure, notice, statusWords } from "./notices.js";

/** After how long out of sight a feed is asked for anew, in milliseconds. */
const old = 30_000;
/** What is kept for good. */
const forGood = () => localStorage;

/** The page: a list of feeds, one of them in sight, and the refresh. */
export class Reader {
  #part;
  #service = new Service("", { key: recall("freshet key") ?? undefined });
  #list;
  #feeds = new Map();
  /** The feed in sight, its first rows until there is a view of it, and that. */
  #feed = null;
  #first = null;
  #view = null;
  /** The module of the view, once it is here. */
  #tables = null;
  #isLoading = false;
  /** What reads items, once it is here. */
  #reading = null;
  /** The ids of items that came while the view of the feed was not there yet. */
  #missed = new Set();
  /** Rows that are not there yet. */
  #skeleton;
  #outcome = "";
  /** What is said in place of feeds, if there are none. @type {?() => HTMLElement} */
  #lack = null;

  /** @param {Document} page */
  constructor(page) {
    this.#part = (id) => page.getElementById(id);
    this.#list = new FeedListView(this.#part("feeds"));
    this.#skeleton = this.#part("stage").querySelector(".skeleton");
    for (const name of ["theme", "size", "density"]) {
      page.documentElement.dataset[name] = recall(`freshet ${name}`, forGood) ?? "";
    }
  }

  /** Shows the feed that the address names, or the one that changed last. */
  start() {
    const part = this.#part;
    part("refresh").addEventListener("click", () => this.#refresh());
    part("news").addEventListener("click", () => this.#view?.goToTop());
    part("live").checked = recall("freshet live", forGood) === "on";
    part("live").addEventListener("change", () => this.#follow());
    part("back").addEventListener("click", (event) => this.#goBack(event));
    part("key-button").addEventListener("click", () => this.#askKey());
    part("filter-button").addEventListener("click", () => this.#reading?.filter());
    part("settings").addEventListener("click", () => this.#dialog("Settings"));
    addEventListener("hashchange", (event) => this.#goTo(event));
    addEventListener("keydown", (event) => this.#keyDown(event));
    addEventListener("online", () => this.#refresh());
    document.addEventListener("visibilitychange", () => {
      const { refreshed = 0 } = this.#feed ?? {};
      if (!document.hidden && Date.now() - refreshed > old) this.#refresh();
    });
    matchMedia("(max-width: 44rem)").addEventListener("change", () => this.#open());
    setInterval(() => {
      this.#say();
      this.#reading?.tick();
    }, 30_000);
    // Where one began is no entry that was made from the list.
    history.replaceState(history.state ?? {}, "");
    if (this.#named) this.#open();
    this.#loadList();
  }

  #keyDown({ key, repeat, ctrlKey, metaKey, altKey, target }) {
    const isField = target.closest("dialog, input:not([type=checkbox])");
    if (repeat || ctrlKey || metaKey || altKey || isField) return;
    if (key.toLowerCase() === "r") this.#refresh();
    if (key !== "Escape" || !this.#isPhone || !this.#named) return;
    if (!this.#itemNamed) this.#goBack();
  }

  /** Shows what the address names now; on a phone that may be another screen. */
  #goTo({ oldURL }) {
    const before = this.#feed?.id;
    // Said of a new entry of the history, and still known on return to it.
    if (!history.state) history.replaceState({ isFromList: !new URL(oldURL).hash.slice(1) }, "");
    this.#part("app").classList.add("moves");
    const isReturn = this.#isPhone && Boolean(this.#named) && !new URL(oldURL).hash.slice(1);
    this.#open(isReturn);
    if (!this.#named) this.#loadList();
    if (!this.#isPhone) return;
    if (!this.#named) this.#list.focus(before);
    else if (!this.#itemNamed) this.#part("title").focus({ preventScroll: true });
  }

  /** To the list that this feed was opened from, rather than to one more of it. */
  #goBack(event) {
    event?.preventDefault();
    if (history.state?.isFromList) history.back();
    else location.replace("#");
  }

  #askKey() {
    this.#dialog("Key", (key) => {
      this.#service.key = key;
      this.#refresh();
    });
  }

  /** Shows a dialog, whose code comes when it is asked for. */
  async #dialog(name, ...options) {
    const dialogs = await import("./dialogs.js").catch(() => null);
    dialogs?.[`show${name}`](...options);
  }

  get #isPhone() { return matchMedia("(max-width: 44rem)").matches; }
  /** The feed's and the item's id after the `#` of the address, or null. */
  get #named() { return addressed(0); }
  get #itemNamed() { return addressed(1); }

  /** Fetches the list of feeds. */
  async #loadList() {
    this.#lack = null;
    try {
      const feeds = await this.#service.feeds();
      this.#list.show(feeds);
      this.#list.select(this.#feed?.id);
      if (feeds.length === 0) this.#lack = () => notice("No feeds yet",
        "Publish the first one, and it is here.", "Open the workbench", "workbench.html");
    } catch (error) {
      if (error.isGone) this.#list.show([]);
      if (this.#list.newest === null) this.#lack = () => this.#failure(error);
    }
    this.#part("feeds-notice").replaceChildren(...this.#lack ? [this.#lack()] : []);
    if (!this.#feed) this.#open();
  }

  /** Shows the feed that the address names: on a phone the list when it names none. */
  #open(isReturn = false) {
    const last = recall("freshet feed", forGood);
    const id = this.#named ?? (this.#isPhone ? null : this.#known(last) ?? this.#list.newest);
    this.#part("app").dataset.screen = this.#named ? "feed" : "feeds";
    this.#list.select(id);
    if (id !== null && id === this.#feed?.id) {
      this.#reading?.go(this.#itemNamed);
      return isReturn ? this.#ask() : this.#say();
    }
    if (id === null && this.#isPhone) return this.#say();
    this.#feed?.stop();
    this.#view?.close();
    this.#reading?.leave();
    this.#feed = id === null ? null : this.#feedOf(id);
    this.#view = this.#first = null;
    this.#missed.clear();
    this.#outcome = "";
    if (!this.#feed) {
      this.#stage(this.#lack?.() ?? this.#skeleton);
      return this.#say();
    }
    remember("freshet feed", id, forGood);
    this.#show();
    // Following begins at a token, so that a feed does not come twice.
    return this.#ask().then(() => this.#follow());
  }

  #known(id) {
    return id && this.#part("feeds").querySelector(`[href="#${CSS.escape(id)}"]`) ? id : null;
  }

  /** The feed of that id, with what it has from before. */
  #feedOf(id) {
    if (!this.#feeds.has(id)) {
      const feed = new Feed(this.#service, id, { first: 60, as: "changes" });
      feed.addEventListener("change", ({ detail }) => feed === this.#feed && this.#show(detail));
      feed.addEventListener("state", () => feed === this.#feed && this.#say());
      this.#feeds.set(id, feed);
    }
    return this.#feeds.get(id);
  }

  #follow() {
    const isLive = this.#part("live").checked;
    remember("freshet live", isLive ? "on" : "off", forGood);
    if (isLive) this.#feed?.live();
    else this.#feed?.stop();
    this.#say();
  }

  #refresh() {
    this.#loadList();
    if (this.#feed) this.#ask();
  }

  /** Asks what is new of the feed in sight, and says so. */
  async #ask() {
    const feed = this.#feed;
    const control = this.#view?.control;
    if (feed.snapshot) control?.beginRefreshing();
    let words = "";
    try {
      const result = await feed.refresh();
      words = result.isFirst ? "" : result.words;
      if (feed === this.#feed) this.#tell(words);
    } catch (error) {
      words = error.message;
    }
    control?.endRefreshing(words);
  }

  /** Shows what came of a refresh for a while, in place of how old it is. */
  #tell(words) {
    this.#outcome = words;
    this.#say();
    setTimeout(() => {
      if (this.#outcome === words) this.#outcome = "";
      this.#say();
    }, 4000);
  }

  #show(result) {
    const feed = this.#feed;
    if (!this.#view && result && !result.isFirst) {
      for (const id of result.inserted) this.#missed.add(id);
    }
    if (!(feed.snapshot?.count > 0)) {
      this.#view?.close();
      this.#reading?.leave();
      this.#view = this.#first = null;
    } else if (this.#view) {
      this.#view.show(result);
      this.#reading.changed();
    } else if (this.#tables) {
      const { FeedView, Reading } = this.#tables;
      this.#reading ??= new Reading(this.#part, () => this.#say());
      this.#view = new FeedView(feed, this.#part("news"), () => this.#refresh(),
        this.#first ?? undefined, (item) => this.#reading.open(item));
      this.#first = null;
      this.#stage(this.#view.table);
      this.#view.missed(this.#missed);
      this.#reading.show(feed, this.#view);
      this.#reading.go(this.#itemNamed);
    } else {
      const isNew = !this.#first || !result?.isFirst;
      if (isNew) this.#first = firstRows(feed);
      this.#stage(this.#first ?? this.#skeleton);
      if (isNew && this.#first) level(this.#first);
      this.#load();
    }
    this.#say();
  }

  /** Fetches what makes tables, once the first rows are in sight. */
  async #load() {
    if (this.#isLoading) return;
    this.#isLoading = true;
    await nextFrame();
    document.head.append(this.#part("later").content);
    this.#tables = await import("./FeedView.js").catch(() => null);
    this.#isLoading = false;
    if (this.#tables && this.#feed) this.#show();
  }

  #stage(content) {
    const place = this.#part("stage");
    if (place.firstElementChild === content) return;
    const hadFocus = place.contains(document.activeElement);
    place.replaceChildren(content);
    if (hadFocus) this.#part("title").focus({ preventScroll: true });
  }

  /** Says how the feed in sight is: in the bar, and where rows are missing in their place. */
  #say() {
    const feed = this.#feed;
    const { snapshot, error, state, refreshed } = feed ?? {};
    const title = feed
      ? said(snapshot?.members.title, this.#list.name(feed.id), feed.id) : "Freshet";
    this.#part("title").textContent = title;
    const isInSight = feed && (this.#named || !this.#isPhone);
    document.title = isInSight ? `${title} – Freshet` : "Freshet";
    if (snapshot) this.#list.say(feed.id, title, snapshot.total ?? snapshot.count);
    this.#part("status").dataset.state = state ?? "idle";
    this.#part("status").textContent = feed?.snapshot ? statusWords(feed, this.#outcome) : "";
    this.#part("refresh").dataset.busy = state === "refreshing";
    banner(this.#part("banner"), snapshot && error, refreshed, () => this.#refresh());
    const control = this.#view?.control;
    if (control && refreshed) control.attributedTitle = `Updated ${ago(refreshed)}`;
    if (!feed || snapshot?.count > 0) return;
    if (snapshot) this.#stage(notice("Nothing here yet", "What is published to it appears here."));
    else this.#stage(error && state !== "refreshing" ? this.#failure(error) : this.#skeleton);
  }

  #failure(error) {
    return failure(error, recall("freshet key"), () => this.#askKey(), () => this.#refresh());
  }
}
