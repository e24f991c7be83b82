import CZlib
import HTTPWire

/// A piece of content that is compressed by itself, so that it can be inserted anywhere in any gzip
/// stream.
///
/// The deflate blocks (RFC 1951) of a part do not refer to earlier bytes and end at a whole byte.
/// So a document that different responses contain is compressed only once.
package struct GzipPart: Sendable {
    /// The deflate blocks; none of them is marked as the last of a stream.
    package let blocks: [UInt8]

    /// The CRC-32 of the content (RFC 1952 §8).
    let check: UInt32
    /// The factor that extends the CRC-32 of the bytes before the content over the content.
    let shift: UInt32
    /// The number of bytes of the content.
    package let contentCount: Int

    /// Compresses `content`, unless `isWanted`, called about every 10 ms, returns false on the way.
    package init?(_ content: [UInt8], while isWanted: () -> Bool) {
        var deflater = Deflater(raw: .content(byteCount: content.count))
        guard let blocks = deflater.code(content, .sync, while: isWanted) else { return nil }
        self.blocks = blocks.fitted
        check = ZlibCRC32.check(content, content.indices, after: 0)
        shift = ZlibCRC32.shift(over: content.count)
        contentCount = content.count
    }

    /// The decompressed content; decompression takes time, so this is for short content only.
    package var content: [UInt8] {
        let inflater = Inflater(byteLimit: contentCount, windowBits: -15)
        var content: [UInt8] = []
        do {
            try inflater.decode(blocks, into: &content)
        } catch {
            preconditionFailure("what was compressed here can be taken apart")
        }
        return content
    }
}
