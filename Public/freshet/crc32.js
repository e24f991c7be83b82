// The CRC-32 of zlib and gzip (RFC 1952, 8), a byte at a time from a table.

const utf8 = new TextEncoder();
const table = Uint32Array.from({ length: 256 }, (_, value) => {
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});

/** The check sum of texts, as if they were one, in UTF-8. @param {Iterable<string>} texts */
export function crc32(texts) {
  let sum = 0xffffffff;
  for (const text of texts) {
    const bytes = utf8.encode(text);
    // By index: an iterator takes ten times as long.
    for (let index = 0; index < bytes.length; index += 1) {
      sum = table[(sum ^ bytes[index]) & 255] ^ (sum >>> 8);
    }
  }
  return (sum ^ 0xffffffff) >>> 0;
}
