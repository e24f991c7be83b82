const formats = [
  ["atom", "Atom", "application/atom+xml"],
  ["rss", "RSS", "application/rss+xml"],
  ["json", "JSON Feed", "application/feed+json"],
];

/** The most feeds that the page names. */
const limit = 50;

let named = "[]";

/**
 * Names feeds in the formats of feed readers, for browsers and extensions that look for them in the
 * page; the list of all (`feeds.opml`) stands there anyway.
 * @param {{id: string, name: string}[]} feeds the one in sight first
 */
export function nameFormats(feeds) {
  const links = feeds.slice(0, limit).flatMap(({ id, name }) => formats.map(
    ([suffix, format, type]) => [`feeds/${encodeURIComponent(id)}.${suffix}`, type, `${name} (${format})`]));
  const state = JSON.stringify(links);
  if (named === state) return;
  named = state;
  for (const old of document.head.querySelectorAll("link[rel=alternate][data-feed]")) old.remove();
  document.head.append(...links.map(([href, type, title]) => {
    const link = document.createElement("link");
    Object.assign(link, { rel: "alternate", href, type, title });
    link.dataset.feed = "";
    return link;
  }));
}
