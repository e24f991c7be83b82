import FeedModel
import Foundation

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// A feed's file: a header line, and records, the first of which is a snapshot.
///
/// A record is a line `LENGTH CHECKSUM TOKEN`, the document in so many bytes, and a line feed. The
/// checksum is the document's CRC-32.
struct CacheFile {
    /// Where the documents stand.
    private(set) var records: [Range<Int>] = []

    /// The version after the last.
    private(set) var token: Token?

    /// The bytes of the first.
    private(set) var snapshotByteCount = 0

    /// Whether all of the file is such records.
    private(set) var isWhole = false

    /// Finds the records that are whole; `nil` where the header is another.
    init?(_ bytes: [UInt8], header: String) {
        guard bytes.starts(with: header.utf8) else { return nil }
        var rest = bytes[header.utf8.count...]
        while let (record, token) = CacheFile.next(in: &rest) {
            guard CRC32(bytes[record.range]).value == record.check else { return }
            if records.isEmpty { snapshotByteCount = record.range.count }
            records.append(record.range)
            self.token = token
        }
        isWhole = rest.isEmpty
    }

    private static func next(
        in rest: inout ArraySlice<UInt8>
    ) -> (record: (range: Range<Int>, check: UInt32), token: Token)? {
        guard let end = rest.prefix(100).firstIndex(of: UInt8(ascii: "\n")) else { return nil }
        let words = String(decoding: rest[..<end], as: UTF8.self).split(separator: " ")
        guard words.count == 3, let count = Int(words[0]), let check = UInt32(words[1], radix: 16),
            let token = Token(words[2]), count >= 0, rest.endIndex - end - 1 > count
        else { return nil }
        let range = end + 1..<end + 1 + count
        rest = rest[(range.upperBound + 1)...]
        return ((range, check), token)
    }

    /// A record as it is written.
    static func record(_ document: [UInt8], _ token: Token) -> [UInt8] {
        let check = CRC32(document[...]).value
        var bytes = Array("\(document.count) \(String(check, radix: 16)) \(token)\n".utf8)
        bytes += document
        bytes.append(UInt8(ascii: "\n"))
        return bytes
    }
}

/// Files that are there.
extension CacheFile {
    /// The version that a file is of.
    static func token(of url: URL, header: String) -> Token? {
        guard let data = try? Data(contentsOf: url, options: .mappedIfSafe) else { return nil }
        return CacheFile([UInt8](data), header: header)?.token
    }

    /// The most bytes that may be added to a file before it is shorter to write it anew; `nil` where
    /// it is not there, or is another's.
    static func room(in url: URL, header: String) -> Int? {
        guard let file = try? FileHandle(forReadingFrom: url) else { return nil }
        defer { try? file.close() }
        let start = header.utf8.count
        guard let head = try? file.read(upToCount: start + 100), let size = try? file.seekToEnd(),
            head.starts(with: header.utf8),
            let line = head.dropFirst(start).split(separator: UInt8(ascii: "\n")).first,
            let word = line.split(separator: UInt8(ascii: " ")).first,
            let snapshot = Int(String(decoding: word, as: UTF8.self)), snapshot <= Int(size)
        else { return nil }
        return 2 * max(snapshot, 64 << 10) - Int(size)
    }

    /// Adds bytes to the end of a file that is there, in one piece.
    ///
    /// - Returns: Whether it could.
    static func append(_ bytes: [UInt8], to url: URL) -> Bool {
        let file = open(url.path, O_WRONLY | O_APPEND | O_CLOEXEC)
        guard file >= 0 else { return false }
        defer { _ = close(file) }
        return bytes.withUnsafeBytes { write(file, $0.baseAddress, $0.count) } == bytes.count
    }
}
