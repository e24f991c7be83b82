/** What a page says in place of a feed: words, and what to do. */

/** @param {string | (() => void)} [action] an address, or what a button does */
export function notice(title, text, label, action) {
  const made = document.createElement("div");
  made.className = "notice";
  const [head, words] = [document.createElement("h2"), document.createElement("p")];
  head.textContent = title;
  words.textContent = text;
  made.append(head, words);
  if (label) made.append(button(label, action));
  return made;
}

/** A button, or a link that looks like one. */
export function button(label, action) {
  const isLink = typeof action === "string";
  const made = document.createElement(isLink ? "a" : "button");
  made.className = "button";
  made.textContent = label;
  if (isLink) made.href = action;
  else Object.assign(made, { type: "button" }).addEventListener("click", action);
  return made;
}

/** In place of what could not be fetched: why, and what to do. */
export function failure({ status, message }, hasKey, askKey, tryAgain) {
  if (status === 401 || status === 403) {
    const [title, text] = status === 403
      ? ["This key does not open it", "It is for other feeds of this server."]
      : hasKey ? ["The key does not fit", "This server does not know it. Is it typed right?"]
        : ["A key is needed", "This server shows its feeds to those with a key."];
    return notice(title, text, hasKey ? "Enter another key" : "Enter a key", askKey);
  }
  if (status === 404) {
    return notice("There is no such feed", "It was removed, or it has another name now.",
      "See all feeds", "#");
  }
  return status ? notice("That did not work", message, "Try again", tryAgain)
    : notice("The server cannot be reached", "Check the connection and whether it runs.",
      "Try again", tryAgain);
}

/** How many items there are, and how old they are. */
export function statusWords({ snapshot, refreshed, state, error }, outcome) {
  const count = snapshot.total ?? snapshot.count;
  const items = `${count.toLocaleString()} ${count === 1 ? "item" : "items"}`;
  if (error && !error.status) return `${items} · Offline, updated ${ago(refreshed)}`;
  if (outcome && !error) return `${items} · ${outcome}`;
  return `${items} · ${state === "live" && !error ? "Live" : `Updated ${ago(refreshed)}`}`;
}

/** Says above rows that they are older than they should be. */
export function banner(place, error, refreshed, tryAgain) {
  place.hidden = !error;
  const words = error?.message;
  if (!error || place.dataset.words === words) return;
  place.dataset.words = words;
  const time = refreshed.toLocaleTimeString([], { timeStyle: "short" });
  place.replaceChildren(`${words} This is what was here at ${time}.`,
    button("Try again", tryAgain));
}

const format = new Intl.RelativeTimeFormat("en", { style: "short" });

/** How long ago, in words; of more than a week, and of what is to come, the day. */
export function ago(date) {
  const minutes = Math.round((Date.now() - date) / 60_000);
  const isNear = minutes >= -1 && minutes < 10_080;
  if (!isNear) return date.toLocaleDateString([], { dateStyle: "medium" });
  if (minutes < 1) return "just now";
  if (minutes < 60) return format.format(-minutes, "minute");
  return minutes < 1440 ? format.format(-Math.round(minutes / 60), "hour")
    : format.format(-Math.round(minutes / 1440), "day");
}
