/**
 * The data of a stream's events, as they come (HTML, 9.2.6).
 * @param {ReadableStream<Uint8Array>} body
 * @param {() => void} [heard] called for every piece that arrives, comments too
 */
export async function* events(body, heard) {
  const reader = body.getReader();
  const utf8 = new TextDecoder();
  let [rest, data, last] = ["", null, ""];
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      heard?.();
      const text = utf8.decode(value, { stream: true });
      const lines = text.split(/\r\n|\n|\r/);
      // The end of a piece may part a line feed from its carriage return.
      if (last === "\r" && text[0] === "\n") lines.shift();
      last = text.at(-1) ?? last;
      if (lines.length === 0) continue;
      lines[0] = rest + lines[0];
      rest = lines.pop();
      for (const line of lines) {
        if (line === "") {
          if (data !== null) yield data;
          data = null;
        } else if (/^data(:|$)/.test(line)) {
          const more = line.slice(line[5] === " " ? 6 : 5);
          data = data === null ? more : `${data}\n${more}`;
        }
      }
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}
