import { say } from "../words/pages.js";

const counts = { inserted: "new", moved: "moved", updated: "changed", removed: "gone" };

/**
 * What came of a publish, for a person: in words, and after a fault the field where it can be
 * mended, and from which of its characters on. `isUnknown`: it may have been published or not.
 * @param {number} status @param {string} text the answer @param {string} body what was published
 * @returns {{words: string, field?: string, at?: number, isUnknown?: boolean}}
 */
export function outcome(status, text, body) {
  let answer = {};
  try {
    answer = JSON.parse(text) ?? {};
  } catch {
    // It is not Freshet that answered.
  }
  if (status < 300) return { words: published(answer) };
  if (status === 401) return { words: say("The server does not know this key. It prints its own "
    + "when it starts."), field: "key" };
  if (status === 403) return { words: say("This key may not publish to this feed."), field: "key" };
  if (/\/outcome-unknown$/.test(answer.type)) return { words: say("The server cannot say whether that "
    + "was published. Publish it again: it is not published twice."),
    field: "send", isUnknown: true };
  return fault(status, answer, body);
}

/** A fault in what was published, with its place in the text where the server says it. */
function fault(status, { title = say("That did not work"), detail, pointer, offset, line }, body) {
  const said = detail ?? status;
  const at = place(body, offset, line);
  const where = pointer ? ` (at ${pointer})` : "";
  if (at === undefined) return { words: `${title}: ${said}${where}`, field: "document" };
  const lines = body.slice(0, at).split("\n");
  const values = { line: lines.length, column: lines.at(-1).length + 1, said };
  const words = Number.isInteger(offset) ? say("Line {line}, column {column}: {said}", values)
    : say("Line {line}: {said}", values);
  return { words, field: "document", at };
}

/** The character of a text at a byte of its UTF-8, or else the first one of a line. */
function place(body, offset, line) {
  if (Number.isInteger(offset) && offset >= 0) {
    const bytes = new TextEncoder().encode(body);
    return new TextDecoder().decode(bytes.subarray(0, offset)).length;
  }
  if (!Number.isInteger(line) || line < 1) return undefined;
  const before = body.split("\n", line - 1);
  return before.join("\n").length + (before.length > 0 ? 1 : 0);
}

function published({ changed, items, sections }) {
  if (!changed) return say("Published. It was the same before, and so there is no new version.");
  const words = Object.entries(counts).filter(([name]) => items?.[name] > 0)
    .map(([name, what]) => say(`{count} ${what}`, { count: items[name] }));
  const isOther = Object.values(sections ?? {}).some((number) => number > 0);
  return say("Published: {what}.",
    { what: words.join(say(", ")) || say(isOther ? "other sections" : "another title") });
}
