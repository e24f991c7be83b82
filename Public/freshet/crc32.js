// The CRC-32 of zlib and gzip (RFC 1952, 8), a byte at a time from a table.

const utf8 = new TextEncoder();
const table = Int32Array.from({ length: 256 }, (_, value) => {
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});

/** The check sum of texts, as if they were one, in UTF-8. @param {Iterable<string>} texts */
export function crc32(texts) {
  let sum = -1;
  for (const text of texts) sum = added(sum, text);
  return ~sum >>> 0;
}

/** That of lines, each a sign and a text. @param {Iterable<[string, string[]]>} parts */
export function crc32OfLines(parts) {
  let sum = -1;
  for (const [sign, texts] of parts) {
    for (const text of texts) sum = added(added(added(sum, sign), text), "\n");
  }
  return ~sum >>> 0;
}

/** A sum that goes on with a text: most have signs of a byte each. */
function added(sum, text) {
  let next = sum;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code > 127) return addedBytes(sum, utf8.encode(text));
    next = table[(next ^ code) & 255] ^ (next >>> 8);
  }
  return next;
}

function addedBytes(sum, bytes) {
  // By index: an iterator takes ten times as long.
  for (let index = 0; index < bytes.length; index += 1) {
    sum = table[(sum ^ bytes[index]) & 255] ^ (sum >>> 8);
  }
  return sum;
}
