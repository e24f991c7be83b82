import { el } from "../ui/page.js";
import { formatRelative, language, t, toText } from "../words.js";

/**
 * Shows in place of the rows of a feed, or of the list of feeds, why there are none, and what to do.
 * @param {HTMLElement} place
 * @param {?import("../freshet.js").FreshetError} error null where there simply is nothing
 * @param {import("./Reader.js").Reader} reader
 */
export function showNotice(place, error, reader) {
  const isStage = place.id === "stage";
  const { feed } = reader;
  if (isStage && feed?.snapshot?.count > 0) return;
  const made = noticeOf(isStage ? feed : null, error, reader);
  if (place.firstElementChild?.dataset.words === made.dataset.words) return;
  if (isStage) reader.showView(made);
  else place.replaceChildren(made);
}

/** Returns what is shown where a filter leaves no item, or all were read. @param {() => void} showAll */
export function filterNotice(isUnreadOnly, showAll) {
  return notice(isUnreadOnly ? "allRead" : "noMatch", [t("showAll"), showAll]);
}

function noticeOf(feed, error, reader) {
  if (error) return failure(error, reader);
  if (!feed) return notice("noFeeds", [t("openWorkbench"), "workbench.html"]);
  const made = notice("empty");
  // Without rows there is nothing to pull down.
  made.append(command(feed.id), button(t("refresh"), () => reader.refresh()));
  return made;
}

/** In place of what could not be fetched: why, and what to do. */
function failure(error, reader) {
  const { status } = error;
  const enterKey = [t(reader.hasKey ? "enterAnotherKey" : "enterKey"), () => reader.askKey()];
  if (status === 403) return notice("keyElsewhere", enterKey);
  if (status === 401) return notice(reader.hasKey ? "keyUnknown" : "keyNeeded", enterKey);
  if (status === 404) return notice("feedMissing", [t("seeFeeds"), "#"]);
  const again = [t("tryAgain"), () => reader.refresh()];
  return status ? notice("failed", again, errorWords(error)) : notice("lost", again);
}

/** @param {[string, string | (() => void)]} [action] its label, and an address or what it does */
function notice(name, action, text = t(`${name}Text`)) {
  return el("div", { class: "notice", "data-words": `${name} ${text}` }, el("h2", {}, t(name)), el("p", {}, text),
    action ? [button(...action)] : []);
}

/** A button, or a link that looks like one. */
function button(label, action) {
  if (typeof action === "string") return el("a", { class: "button", href: action }, label);
  const made = el("button", { class: "button", type: "button" }, label);
  made.addEventListener("click", action);
  return made;
}

/** The line for a shell that publishes something to a feed, to be copied. */
function command(id) {
  const address = new URL(`feeds/${encodeURIComponent(id)}/items`, document.baseURI);
  const line = `curl '${address}' -H 'Authorization: Bearer KEY' `
    + "-H 'Content-Type: application/json' "
    + `-d '{"id": "hello", "title": "Hello"}'`;
  const code = el("code", { dir: "ltr", tabindex: "0" }, line);
  const copy = button(t("copy"), async () => {
    try {
      await navigator.clipboard.writeText(line);
      copy.textContent = t("copied");
    } catch {
      getSelection().selectAllChildren(code);
      copy.textContent = t("selected");
    }
  });
  return el("div", { class: "command" }, code, copy);
}

/** Says over rows that they are older than they should be. */
export function banner(place, error, { refreshed, missingSince }, tryAgain) {
  const words = !error ? "" : error.status === 404 && missingSince
    ? t("missingSince", { time: moment(missingSince) }) : errorWords(error);
  place.hidden = !error;
  if (place.dataset.words === words) return;
  place.dataset.words = words;
  place.replaceChildren(...error ? [el("span", {}, `${words} ${t("asOf", { time: moment(refreshed) })}`),
    button(t("tryAgain"), tryAgain)] : []);
}

/** The texts of what a refresh does to items. */
const names = { inserted: "inserted", moved: "moved", updated: "changed", removed: "removed" };

/** How many items there are, and how old they are. */
export function statusWords({ snapshot, refreshed, state, error }, outcome) {
  const items = t("items", { count: snapshot.total ?? snapshot.count });
  const age = { ago: formatRelative(refreshed) };
  const rest = error && !error.status ? t("offline", age) : outcome && !error ? outcome
    : state === "live" && !error ? t("isLive") : t("updated", age);
  return `${items} · ${rest}`;
}

/** What a refresh changed. @param {import("../freshet.js").RefreshResult} result */
export function resultWords(result) {
  const parts = Object.keys(names)
    .filter((kind) => result[kind].size > 0)
    .map((kind) => t(names[kind], { count: result[kind].size }));
  if (parts.length > 0) {
    return new Intl.ListFormat(language, { type: "unit" }).format(parts);
  }
  return t(result.isRearranged ? "rearranged" : "nothingNew");
}

/** Why a request did not do what it was asked. @param {import("../freshet.js").FreshetError} error */
export function errorWords({ status, problem }) {
  if (!status) return t("lost");
  if (status === 401) return t("keyUnknown");
  if (status === 403) return t("keyElsewhere");
  if (status === 404) return t("feedMissing");
  const reason = problem?.detail ?? problem?.title;
  if (reason) return t("refused", { reason: toText(reason), status });
  // Something on the way answered in place of the server.
  return status >= 400 && !problem ? `${t("failed")} (${status})` : t("strange");
}

/** When something was, as a time of today or with its day. @param {Date} date */
export function moment(date) {
  const isToday = date.toDateString() === new Date().toDateString();
  return date.toLocaleString(language, isToday ? { timeStyle: "short" }
    : { dateStyle: "medium", timeStyle: "short" });
}
