import CZlib

/// A piece of content, compressed by itself, so that it can stand anywhere in any gzip stream.
///
/// Its deflate blocks (RFC 1951) refer to nothing before them and end at a whole byte. What many
/// are sent in different surroundings is compressed once.
package struct GzipPart: Sendable {
    /// The deflate blocks, none of them the last of a stream.
    package let blocks: [UInt8]

    /// Of the content (RFC 1952 §8).
    let check: UInt
    let contentCount: Int

    /// Compresses `content`.
    package init(_ content: [UInt8]) {
        var deflater = Deflater(raw: .content(byteCount: content.count))
        blocks = deflater.code(content, .sync)
        check = GzipPart.check(of: content)
        contentCount = content.count
    }

    /// Wraps `content` as it is, for what is too short to gain by compression.
    ///
    /// - Parameter content: At most 65,535 bytes (RFC 1951 §3.2.4).
    package init(stored content: [UInt8]) {
        precondition(content.count <= 0xffff, "a stored block has at most 65,535 bytes")
        let count = UInt16(content.count)
        let lengths = [count, ~count].flatMap { [UInt8($0 & 0xff), UInt8($0 >> 8)] }
        blocks = content.isEmpty ? [] : [0] + lengths + content
        check = GzipPart.check(of: content)
        contentCount = content.count
    }

    private static func check(of content: [UInt8]) -> UInt {
        content.withUnsafeBytes { bytes in
            crc32(0, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), uInt(bytes.count))
        }
    }
}

/// What a gzip stream (RFC 1952) has around its parts.
package struct GzipFrame: Sendable {
    /// Before the first part: no name, no time, and no word of the system it comes from.
    package static let header: [UInt8] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]

    private var check: UInt = 0
    private var count = 0

    /// A stream without parts.
    package init() {}

    /// Counts a part in.
    package mutating func add(_ part: GzipPart) {
        check = crc32_combine(check, part.check, part.contentCount)
        count &+= part.contentCount
    }

    /// Behind the last part: a last block without content, the check, and the length.
    package var trailer: [UInt8] {
        let numbers = [UInt32(truncatingIfNeeded: check), UInt32(truncatingIfNeeded: count)]
        return [3, 0]
            + numbers.flatMap { number in
                (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * UInt32($0))) }
            }
    }
}
