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
enum CacheFile {
    /// A record as it is written.
    static func record(_ document: [UInt8], _ token: Token) -> [UInt8] {
        var bytes = Array(line(document, token).utf8)
        bytes += document
        bytes.append(UInt8(ascii: "\n"))
        return bytes
    }

    /// A file of one record.
    static func bytes(header: String, _ document: [UInt8], _ token: Token) -> Data {
        let head = header + line(document, token)
        var bytes = Data(capacity: head.utf8.count + document.count + 1)
        bytes.append(contentsOf: head.utf8)
        bytes.append(contentsOf: document)
        bytes.append(UInt8(ascii: "\n"))
        return bytes
    }

    private static func line(_ document: [UInt8], _ token: Token) -> String {
        "\(document.count) \(String(CRC32(document[...]).value, radix: 16)) \(token)\n"
    }
}

/// Files that are there.
extension CacheFile {
    /// The version after the last record that is whole; `nil` where there is none.
    static func token(of url: URL, header: String) -> Token? {
        guard var file = Reader(url, header: header) else { return nil }
        var token: Token?
        while let (_, next) = file.next() { token = next }
        return token
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
