/**
 * @file What members of an item mean (docs/ITEMS.md). Those of JSON Feed 1.1 that have other names
 * there are known by these, too.
 */

/** The heading of an item. */
export function titleOf({ title, headline, name, id }) { return firstNonEmpty(title, headline, name, id); }

/** What an item says as text, where it has no markup. */
export function contentOf({ content, content_text: text }) { return firstNonEmpty(content, text); }

/** When an item was published, or else when it changed; null where it does not say so. */
export function dateOf(item) {
  const text = firstNonEmpty(item.published, item.date_published, item.updated, item.date_modified);
  // A time without a zone is UTC, and not this device's.
  const isZoneless = typeof text === "string" && /\d[T ]\d\d:[\d:.]+$/.test(text);
  const date = new Date(typeof text === "object" ? NaN : isZoneless ? `${text}Z` : text);
  return Number.isNaN(date.getTime()) ? null : date;
}

/** Whether an item is something to read: what has a value, or was never published, is looked up. */
export function isNews({ published, date_published: date, value }) {
  return Boolean(firstNonEmpty(published, date)) && !firstNonEmpty(value);
}

/** Who wrote an item; undefined where it does not say so in words. */
export function authorOf({ author, authors }) {
  const names = Array.isArray(authors) ? authors.map((one) => one?.name).filter(isText) : [];
  return [author?.name, author, names.slice(0, 12).join(", ")].find(isText);
}

/** The words that an item is filed under. */
export function tagsOf({ tags }) {
  return Array.isArray(tags) ? tags.filter(isText).slice(0, 12).map((tag) => tag.slice(0, 60)) : [];
}

/** The address of a page or of a person; null for anything else, such as a script. */
export function href(address) {
  if (typeof address !== "string" || !URL.canParse(address)) return null;
  return ["http:", "https:", "mailto:"].includes(new URL(address).protocol) ? address : null;
}

/** The address of an item's picture on this very server: any other would hear who reads. */
export function pictureOf({ image, banner_image: banner }) {
  const address = firstNonEmpty(image, banner);
  if (typeof address !== "string" || !URL.canParse(address, document.baseURI)) return null;
  const { href, origin, pathname } = new URL(address, document.baseURI);
  return origin === location.origin && /\.(svg|png|jpe?g|webp|avif)$/.test(pathname) ? href : null;
}

/** The first of some values that says anything. */
export function firstNonEmpty(...values) {
  return values.find((value) => value !== null && value !== undefined && words(value).trim());
}

/** A value as text; none is empty. */
export function words(value) {
  return typeof value === "string" ? value : JSON.stringify(value) ?? "";
}

function isText(value) { return typeof value === "string" && value.trim() !== ""; }

/** All words of an item that can be looked for. */
export function textOf(item) {
  const { title, headline, name, summary, value } = item;
  return [title, headline, name, summary, contentOf(item), value, authorOf(item), ...tagsOf(item)]
    .filter((part) => part !== undefined && part !== null)
    .map((part) => (typeof part === "string" ? part : JSON.stringify(part)))
    .join("\n").toLowerCase();
}
