import { language, t } from "../words.js";

/** How many are shown. */
const most = 20;
const types = /^(audio|video)\//;
const files = /\.(mp3|m4a|aac|ogg|oga|opus|wav|flac|mp4|m4v|webm|ogv)$/i;

/**
 * The files that go with an item: sound and film that are on this very server with what plays
 * them, and all others as links, since fetching those would tell who reads.
 * @param {object} item @param {Document} page that they are made in
 * @returns {?HTMLElement} null where there are none
 */
export function attachments({ attachments: given }, page) {
  const all = (Array.isArray(given) ? given : []).slice(0, most)
    .map((one) => file(one ?? {}, page)).filter(Boolean);
  if (all.length === 0) return null;
  const made = page.createElement("section");
  made.ariaLabel = t("files");
  made.className = "files";
  made.append(...all);
  return made;
}

function file(one, page) {
  const { url, mime_type: type, title, size_in_bytes: size, duration_in_seconds: time } = one;
  if (typeof url !== "string" || !URL.canParse(url, document.baseURI)) return null;
  const { href, origin, pathname, protocol } = new URL(url, document.baseURI);
  if (!["http:", "https:"].includes(protocol)) return null;
  const made = page.createElement("figure");
  const [, kind] = typeof type === "string" && origin === location.origin && files.test(pathname)
    ? types.exec(type) ?? [] : [];
  if (kind) {
    const player = page.createElement(kind);
    Object.assign(player, { controls: true, preload: "none", src: href });
    made.append(player);
  }
  const link = Object.assign(page.createElement("a"),
    { href, target: "_blank", rel: "noopener noreferrer", dir: "auto" });
  link.textContent = (typeof title === "string" && title.trim() || named(pathname) || href)
    .slice(0, 300);
  const caption = page.createElement("figcaption");
  const more = [isCount(time) && duration(time), isCount(size) && bytes(size),
    typeof type === "string" && type.slice(0, 60)].filter(Boolean);
  caption.append(link, ...more.map((words) => ` · ${words}`));
  made.append(caption);
  return made;
}

/** The last part of a path, as it is read. */
function named(path) {
  const last = path.split("/").at(-1);
  try {
    return decodeURIComponent(last);
  } catch {
    return last;
  }
}

function isCount(value) { return Number.isFinite(value) && value > 0; }

function bytes(size) {
  const units = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"];
  const step = Math.min(Math.floor(Math.log10(size) / 3), units.length - 1);
  return (size / 1000 ** Math.max(step, 0)).toLocaleString(language,
    { style: "unit", unit: units[Math.max(step, 0)], maximumFractionDigits: step > 1 ? 1 : 0 });
}

/** Hours, minutes and seconds, as players show them. */
function duration(seconds) {
  const parts = [seconds / 3600, seconds / 60 % 60, seconds % 60].map(Math.floor);
  if (parts[0] === 0) parts.shift();
  const two = (part, index) => part.toLocaleString(language,
    { minimumIntegerDigits: index > 0 ? 2 : 1, useGrouping: false });
  return parts.map(two).join(":");
}
