import HTTPWire

/// Writes the header and the trailer of a gzip stream that is made of parts (RFC 1952 §2.3), and
/// keeps its checksum and length.
package struct GzipFrame: Sendable {
    /// The CRC-32 of the content so far.
    private var check: UInt32 = 0
    /// The number of bytes of content so far.
    private var count = 0

    /// Makes a stream without parts.
    package init() {}

    /// Appends the header, ten bytes without file name, time and operating system, which comes
    /// before the first part.
    package func appendHeader(to output: inout [UInt8]) {
        output.append(copying: GzipFrame.header.span)
    }

    /// Counts a part into the checksum and the length; the caller appends the part's bytes.
    package mutating func add(_ part: GzipPart) {
        check = ZlibCRC32.product(check, part.shift) ^ part.check
        count &+= part.contentCount
    }

    /// Appends the content that `write` appends, without compression, in stored blocks (RFC 1951
    /// §3.2.4).
    ///
    /// This is for content that is too short to gain by compression. Empty content adds no bytes.
    package mutating func store(in output: inout [UInt8], _ write: (inout [UInt8]) -> Void) {
        let start = output.count
        for _ in 0..<GzipFrame.blockHeadByteCount { output.append(0) }
        write(&output)
        let content = (start + GzipFrame.blockHeadByteCount)..<output.count
        guard !content.isEmpty else { return output.removeLast(GzipFrame.blockHeadByteCount) }
        check = ZlibCRC32.check(output, content, after: check)
        count &+= content.count
        if content.count <= GzipFrame.blockByteLimit {
            GzipFrame.writeBlockHead(of: content.count, at: start, in: &output)
        } else {
            GzipFrame.divide(content, in: &output)
        }
    }

    /// Appends a comment to a stream of events, to show that the connection is alive.
    ///
    /// The decoded comment has eight lines of `:.`, so that a client sees something after decoding.
    /// They are a block of fixed Huffman codes that ends at a whole byte (RFC 1951 §3.2.6): a line,
    /// and a copy of 21 bytes from 3 bytes before.
    package mutating func appendComment(to output: inout [UInt8]) {
        output += [0xb2, 0xd2, 0xe3, 0xc2, 0x8a, 0x00]
        let lines = Array(repeatElement(":.\n".utf8, count: 8).joined())
        check = ZlibCRC32.check(lines, 0..<lines.count, after: check)
        count &+= lines.count
    }

    /// Returns the number of bytes of the header, the trailer, and the heads of some stored blocks.
    package static func byteCount(storedBlocks count: Int) -> Int {
        header.count + count * blockHeadByteCount + 10
    }

    /// The number of bytes before the content of a stored block that begins at a whole byte.
    private static let blockHeadByteCount = 5
    /// The most bytes of content in a stored block, whose length has 16 bits.
    private static let blockByteLimit = 0xffff

    /// Writes the length of a stored block and its complement into the block's head.
    ///
    /// The first byte of the head stays 0: the block is stored, and not the last one.
    private static func writeBlockHead(of byteCount: Int, at start: Int, in output: inout [UInt8]) {
        output[start + 1] = UInt8(byteCount & 0xff)
        output[start + 2] = UInt8(byteCount >> 8)
        output[start + 3] = ~output[start + 1]
        output[start + 4] = ~output[start + 2]
    }

    /// Divides content at the end of the output that is too long for a single block among several,
    /// which replace it and the head before it.
    private static func divide(_ content: Range<Int>, in output: inout [UInt8]) {
        var rest = Array(output[content])[...]
        output.removeSubrange((content.lowerBound - blockHeadByteCount)...)
        while !rest.isEmpty {
            let block = rest.prefix(blockByteLimit)
            let start = output.count
            for _ in 0..<blockHeadByteCount { output.append(0) }
            output += block
            writeBlockHead(of: block.count, at: start, in: &output)
            rest = rest.dropFirst(block.count)
        }
    }

    /// Appends the bytes after the last part: an empty last block, the checksum and the length.
    package func appendTrailer(to output: inout [UInt8]) {
        output.append(3)
        output.append(0)
        append(check, to: &output)
        append(UInt32(truncatingIfNeeded: count), to: &output)
    }

    /// Appends a number, its lowest byte first.
    private func append(_ number: UInt32, to output: inout [UInt8]) {
        for index in 0..<4 {
            output.append(UInt8(truncatingIfNeeded: number >> (8 * UInt32(index))))
        }
    }

    private static let header: [UInt8] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]
}
