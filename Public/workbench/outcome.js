const counts = { inserted: "new", moved: "moved", updated: "changed", removed: "gone" };

/**
 * What came of a publish, for a person: in words, and after a fault the field where it can be
 * mended, and at which of its characters.
 * @param {number} status @param {string} text the answer @param {string} body what was published
 * @returns {{words: string, field?: string, at?: number}}
 */
export function outcome(status, text, body) {
  let answer = {};
  try {
    answer = JSON.parse(text);
  } catch {
    // It is not Freshet that answered.
  }
  if (status < 300) return { words: published(answer) };
  const { title = "That did not work", detail } = answer;
  if (status === 401) return { words: "The server does not know this key. It prints its own when "
    + "it starts.", field: "key" };
  if (status === 403) return { words: "This key may not publish to this feed.", field: "key" };
  const [, place, byte] = detail?.match(/^(.*) at byte (\d+)/s) ?? [];
  if (byte === undefined) return { words: `${title}: ${detail ?? status}`, field: "document" };
  const before = new TextDecoder().decode(new TextEncoder().encode(body).subarray(0, byte));
  const lines = before.split("\n");
  const column = lines.at(-1).length + 1;
  return { words: `Line ${lines.length}, column ${column}: ${place}.`, field: "document",
    at: before.length };
}

function published({ changed, items, sections }) {
  if (!changed) return "Published. It was the same before, and so there is no new version.";
  const words = Object.entries(counts).filter(([name]) => items?.[name] > 0)
    .map(([name, what]) => `${items[name]} ${what}`);
  const isOther = Object.values(sections ?? {}).some((number) => number > 0);
  return `Published: ${words.join(", ") || (isOther ? "other sections" : "another title")}.`;
}
