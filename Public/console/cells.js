import { language } from "../words.js";
import { say } from "../words/pages.js";
import { bytes, distance, whole } from "./units.js";

/**
 * Makes an element.
 *
 * @param {string} name
 * @param {Record<string, string>} attributes
 * @param {...(string | Node)} content texts are put in as text
 * @returns {HTMLElement}
 */
export function element(name, attributes, ...content) {
  const made = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value);
  made.append(...content);
  return made;
}

const cell = (...content) => element("td", {}, ...content);
const number = (text) => element("td", { class: "number" }, text);
const code = (text) => element("bdi", { class: "code", dir: "ltr" }, text);

/** The beginning of a text that whoever publishes may have made long enough to hide all else. */
function brief(text) {
  const characters = Array.from(text.slice(0, 500));
  return characters.length > 200 ? `${characters.slice(0, 200).join("")}…` : text;
}

function when(time, otherwise) {
  if (time === undefined) return element("span", { class: "quiet" }, otherwise);
  const whole = new Date(time).toLocaleString(language);
  return element("time", { datetime: time, title: whole }, distance(time));
}

/** A feed. @returns {HTMLTableRowElement} */
export function feedRow(feed) {
  const name = element("th", { scope: "row" }, code(feed.id));
  if (feed.title) name.append(element("span", { class: "note", dir: "auto" }, brief(feed.title)));
  if (feed.derived) name.append(element("span", { class: "note" }, say("made of other feeds")));
  const { current, history, responses } = feed.memory;
  return element("tr", {}, name, number(whole(feed.count)), number(whole(feed.readers)),
    number(whole(feed.versions)), number(bytes(current)), number(bytes(history)),
    number(bytes(responses)), cell(when(feed.changed)));
}

/** A source. @param {(feed: string, button: HTMLButtonElement) => void} refresh */
export function sourceRow({ id, source }, refresh) {
  const read = cell(when(source.succeeded, say("never")));
  if (source.error !== undefined) {
    const times = say("failed {count} times in a row", { count: source.failures });
    read.append(element("span", { class: "trouble" }, `${source.error} (${times})`));
  }
  const button = element("button", { type: "button" }, say("Fetch now"));
  button.addEventListener("click", () => refresh(id, button));
  return element("tr", {}, element("th", { scope: "row" }, code(id)), cell(code(source.location)),
    read, cell(when(source.next, say("when asked"))), cell(button));
}

const rights = () => ({ read: say("may read"), write: say("may write"), follow: say("may follow") });

/** A key, or one that signs tokens. */
export function keyRow(key) {
  const name = element("th", { scope: "row" });
  if (key.kid !== undefined) {
    name.append(code(key.kid), element("span", { class: "note" }, say("signs tokens with {algorithm}", key)));
  } else {
    if (key.name !== undefined) name.append(element("bdi", {}, key.name));
    name.append(element("span", { class: "note" }, code(`${key.digest}…`)));
  }
  const list = Object.entries(rights()).filter(([right]) => key[right]).map(([right, words]) =>
    element("span", { class: "right" }, `${words} `, code(key[right].join(", "))));
  if (key.admin) list.push(element("span", { class: "right" }, say("may see this page")));
  return element("tr", {}, name, cell(...list), cell(when(key.used, say("not since the start"))),
    cell(when(key.until, "–")));
}
