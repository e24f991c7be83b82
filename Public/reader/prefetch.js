// Where nothing is kept, asks for the first rows, or the list, while scripts come; then for the scripts
// that make the rows a table. In the page itself these would be asked for before the rows.
{
  const name = location.hash.slice(1).split("/")[0];
  const isNew = () => localStorage["freshet feed"] ?? sessionStorage["freshet key"] ?? true;
  try {
    if (isNew() === true && !self.prefetched) {
      const id = decodeURIComponent(name);
      const path = id ? `/feeds/${encodeURIComponent(id)}?limit=60` : "/feeds";
      const answer = fetch(path, { cache: "no-store", signal: AbortSignal.timeout(30_000) });
      self.prefetched = { [path]: answer };
      // `prerender.js` shows a copy; whatever comes, the reader hears of it.
      const copy = answer.then((one) => (one.ok ? one.clone().json() : null)).catch(() => null);
      if (id) self.prefetchedRows = { id, copy };
    }
  } catch {
    // The reader asks.
  }
  const askForTable = () => document.head.append(document.getElementById("table").content);
  if (document.readyState !== "loading") askForTable();
  else document.addEventListener("readystatechange", askForTable, { once: true });
}
