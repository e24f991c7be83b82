import CZlib
package import HTTPWire

/// A piece of content, compressed by itself, so that it can stand anywhere in any gzip stream.
///
/// Its deflate blocks (RFC 1951) refer to nothing before them and end at a whole byte. What many
/// are sent in different surroundings is compressed once.
package struct GzipPart: Sendable {
    /// The deflate blocks, none of them the last of a stream.
    package let blocks: [UInt8]

    /// Of the content (RFC 1952 §8).
    let check: UInt
    /// The same for zlib's format (RFC 1950 §8).
    let adler: UInt
    let contentCount: Int

    /// Compresses `content`.
    package init(_ content: [UInt8]) {
        var deflater = Deflater(raw: .content(byteCount: content.count))
        blocks = deflater.code(content, .sync)
        (check, adler) = GzipPart.checks(of: content)
        contentCount = content.count
    }

    /// The same, unless that is given up on the way.
    ///
    /// - Parameters:
    ///   - content: What to compress.
    ///   - isWanted: Asked every few milliseconds.
    package init?(_ content: [UInt8], while isWanted: () -> Bool) {
        var deflater = Deflater(raw: .content(byteCount: content.count))
        guard let blocks = deflater.code(content, .sync, while: isWanted) else { return nil }
        self.blocks = blocks.fitted
        (check, adler) = GzipPart.checks(of: content)
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
        (check, adler) = GzipPart.checks(of: content)
        contentCount = content.count
    }

    private static func checks(of content: [UInt8]) -> (check: UInt, adler: UInt) {
        content.withUnsafeBytes { bytes in
            let start = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
            let count = uInt(bytes.count)
            return (crc32(0, start, count), adler32(1, start, count))
        }
    }
}

/// What a stream in gzip's format (RFC 1952) or zlib's (RFC 1950) has around its parts.
package struct GzipFrame: Sendable {
    private let coding: ContentCoding
    private var check: UInt
    private var count = 0

    /// A stream without parts.
    ///
    /// - Parameter coding: ``ContentCoding/gzip`` or ``ContentCoding/deflate``.
    package init(_ coding: ContentCoding = .gzip) {
        self.coding = coding
        check = coding == .gzip ? 0 : 1
    }

    /// Before the first part: no name, no time, and no word of the system it comes from.
    package var header: [UInt8] {
        coding == .gzip ? [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff] : [0x78, 0x9c]
    }

    /// Counts a part in.
    package mutating func add(_ part: GzipPart) {
        if coding == .gzip {
            check = crc32_combine(check, part.check, part.contentCount)
        } else {
            check = adler32_combine(check, part.adler, part.contentCount)
        }
        count &+= part.contentCount
    }

    /// Behind the last part: a last block without content, the check, and in gzip's format the
    /// length.
    package var trailer: [UInt8] {
        guard coding == .gzip else {
            return [3, 0] + (0..<4).map { UInt8(truncatingIfNeeded: check >> (24 - 8 * $0)) }
        }
        let numbers = [UInt32(truncatingIfNeeded: check), UInt32(truncatingIfNeeded: count)]
        return [3, 0]
            + numbers.flatMap { number in
                (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * UInt32($0))) }
            }
    }
}
