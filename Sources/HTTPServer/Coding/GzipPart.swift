import CZlib
import HTTPWire

/// A piece of content, compressed by itself, so that it can stand anywhere in any gzip stream.
///
/// Its deflate blocks (RFC 1951) refer to nothing before them and end at a whole byte. What many
/// are sent in different surroundings is compressed once.
package struct GzipPart: Sendable {
    /// The deflate blocks, none of them the last of a stream.
    package let blocks: [UInt8]

    /// Of the content (RFC 1952 §8), and what moves a check before it.
    let check: UInt32
    let shift: UInt32
    package let contentCount: Int

    /// Compresses `content`, unless that is given up on the way.
    ///
    /// - Parameters:
    ///   - content: What to compress.
    ///   - isWanted: Asked every few milliseconds.
    package init?(_ content: [UInt8], while isWanted: () -> Bool) {
        var deflater = Deflater(raw: .content(byteCount: content.count))
        guard let blocks = deflater.code(content, .sync, while: isWanted) else { return nil }
        self.blocks = blocks.fitted
        check = ZlibCRC32.check(content, content.indices, after: 0)
        shift = ZlibCRC32.shift(over: content.count)
        contentCount = content.count
    }

    /// The content again; for what is short.
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
