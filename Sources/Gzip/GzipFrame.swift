import HTTPWire

/// The header, the checks and the trailer of a gzip stream (RFC 1952) that is made of parts.
package struct GzipFrame: Sendable {
    private var check: UInt32 = 0
    private var count = 0
    /// Whether the last bytes of content are comments added by ``appendComment(to:)``.
    private var endsWithComments = false

    /// Makes a stream without parts.
    package init() {}

    /// Adds the bytes before the first part: a header without name, time and operating system.
    package func appendHeader(to output: inout [UInt8]) {
        output.append(bytesOf: GzipFrame.header)
    }

    /// Adds a part to the checksum and the length.
    package mutating func add(_ part: GzipPart) {
        check = ZlibCRC32.product(check, part.shift) ^ part.check
        count &+= part.contentCount
        endsWithComments = false
    }

    /// Adds content that is too short to gain by compression, in deflate blocks that store it (RFC
    /// 1951 §3.2.4); adds no bytes for empty content.
    ///
    /// - Parameters:
    ///   - output: The array that the blocks are added to.
    ///   - write: Appends the content to the array.
    package mutating func store(in output: inout [UInt8], _ write: (inout [UInt8]) -> Void) {
        let start = output.count
        for _ in 0..<GzipFrame.blockHeadByteCount { output.append(0) }
        write(&output)
        let content = (start + GzipFrame.blockHeadByteCount)..<output.count
        guard !content.isEmpty else { return output.removeLast(GzipFrame.blockHeadByteCount) }
        endsWithComments = false
        check = ZlibCRC32.check(output, content, after: check)
        count &+= content.count
        if content.count <= GzipFrame.blockByteLimit {
            GzipFrame.writeBlockHead(of: content.count, at: start, in: &output)
        } else {
            GzipFrame.divide(content, in: &output)
        }
    }

    /// Adds a comment to a stream of events, which shows a client that decodes that the connection
    /// is alive.
    ///
    /// The first comment has eight lines in six bytes of compressed data; each later one has one
    /// line in three bytes. Both are blocks of fixed Huffman codes that end at a whole byte (RFC
    /// 1951 §3.2.6). The first block is a line and a copy of 21 bytes from 3 bytes before. The
    /// other is a copy of 3 bytes from 9 bytes before, because the two extra bits of that distance
    /// fill the last byte.
    package mutating func appendComment(to output: inout [UInt8]) {
        let line = Array(":.\n".utf8)
        let lines: [UInt8] = endsWithComments ? line : Array(repeatElement(line, count: 8).joined())
        output.append(
            bytesOf: endsWithComments ? [0x02, 0x32, 0x00] : [0xb2, 0xd2, 0xe3, 0xc2, 0x8a, 0x00]
        )
        check = ZlibCRC32.check(lines, 0..<lines.count, after: check)
        count &+= lines.count
        endsWithComments = true
    }

    /// Returns the approximate number of bytes besides the parts' content, when that number of
    /// blocks are stored.
    package static func byteCount(storedBlocks count: Int) -> Int {
        header.count + count * blockHeadByteCount + 10
    }

    private static let blockHeadByteCount = 5
    /// The most bytes that a stored block holds.
    private static let blockByteLimit = 0xffff

    private static func writeBlockHead(of byteCount: Int, at start: Int, in output: inout [UInt8]) {
        output[start + 1] = UInt8(byteCount & 0xff)
        output[start + 2] = UInt8(byteCount >> 8)
        output[start + 3] = ~output[start + 1]
        output[start + 4] = ~output[start + 2]
    }

    /// Divides content that is too long for one block among several.
    ///
    /// - Parameter content: The range of the content, at the end of the output and after the head
    ///   of a block.
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

    /// Adds the bytes after the last part: a last block without content, the checksum and the
    /// length.
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
