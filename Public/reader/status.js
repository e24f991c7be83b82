import { inWords, language, t } from "../words.js";
import { ago } from "./times.js";

/** The texts of what a refresh does to items. */
const names = { inserted: "inserted", moved: "moved", updated: "changed", removed: "removed" };

/** How many items there are, and how old they are. */
export function statusWords({ snapshot, refreshed, state, error }, outcome) {
  const items = t("items", { count: snapshot.total ?? snapshot.count });
  const age = { ago: ago(refreshed) };
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
export function errorWords({ status, problem, message }) {
  if (!status) return t("lost");
  if (status === 401) return t("keyUnknown");
  if (status === 403) return t("keyElsewhere");
  if (status === 404) return t("feedMissing");
  const reason = problem?.detail ?? problem?.title;
  return reason || !problem && status >= 400
    ? t("refused", { reason: inWords(reason ?? message), status }) : t("strange");
}

/** When something was, as a time of today or with its day. @param {Date} date */
export function moment(date) {
  const isToday = date.toDateString() === new Date().toDateString();
  return date.toLocaleString(language, isToday ? { timeStyle: "short" }
    : { dateStyle: "medium", timeStyle: "short" });
}
