import FeedModel
import Foundation

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// A feed's file: a header line, and records; the first record is a snapshot.
///
/// A record is a line `LENGTH CHECKSUM TOKEN ROWS`, the document in so many bytes, and a line feed.
/// The checksum is the document's CRC-32. Token and rows say what all records up to this one come
/// to.
enum CacheFile {
    /// The result of a file's records: a version, and the number of its rows that are kept.
    struct End: Equatable {
        var token: Token
        var rowCount: Int

        /// Whether this has more of one incarnation of a feed: a later version, or more rows.
        func isBeyond(_ other: End) -> Bool {
            guard token.hasSameEpoch(as: other.token) else { return false }
            return (token.version, rowCount) > (other.token.version, other.rowCount)
        }
    }

    /// A file as it was when it was last looked at: whatever a process does to it makes another.
    struct Stamp: Equatable {
        fileprivate let file: UInt64
        let byteCount: Int
        fileprivate let seconds: Int
        fileprivate let nanoseconds: Int

        /// Whether only the dates differ, or nothing.
        func isSameContent(as other: Stamp) -> Bool {
            file == other.file && byteCount == other.byteCount
        }
    }

    /// The state of a file whose records are all whole.
    struct Known: Equatable {
        var stamp: Stamp
        var end: End
    }

    /// A record as it is written.
    static func record(_ document: [UInt8], _ end: End) -> [UInt8] {
        let line = line(document, end)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(line.utf8.count + document.count + 1)
        bytes += line.utf8
        bytes += document
        bytes.append(UInt8(ascii: "\n"))
        return bytes
    }

    /// A file of one record.
    static func bytes(header: String, _ document: [UInt8], _ end: End) -> Data {
        let head = header + line(document, end)
        var bytes = Data(capacity: head.utf8.count + document.count + 1)
        bytes.append(contentsOf: head.utf8)
        bytes.append(contentsOf: document)
        bytes.append(UInt8(ascii: "\n"))
        return bytes
    }

    private static func line(_ document: [UInt8], _ end: End) -> String {
        let check = String(CRC32(document[...]).value, radix: 16)
        return "\(document.count) \(check) \(end.token) \(end.rowCount)\n"
    }
}

/// Files that are there.
extension CacheFile {
    /// A file as it is now; `nil` where it is not there.
    static func stamp(of path: String) -> Stamp? {
        var status = stat()
        return stat(path, &status) == 0 ? Stamp(status) : nil
    }

    /// Returns the result of a file's records, up to the last one that is whole.
    ///
    /// - Returns: Also whether nothing follows; `nil` where there is no such file, or no record.
    static func end(of path: String, header: String) -> (known: Known, isWhole: Bool)? {
        guard var file = Reader(path, header: header) else { return nil }
        var end: End?
        while let (_, next) = file.next() { end = next }
        return end.map { (Known(stamp: file.stamp, end: $0), file.isWhole) }
    }

    /// The outcome of adding to a file.
    enum Addition {
        /// It was added, and the file is this now.
        case added(Stamp)
        /// The file is another than it was taken for.
        case another
        /// It is shorter, or safer, to write the file anew.
        case refused
    }

    /// Adds bytes to the end of a file that is there, in one piece.
    ///
    /// - Parameters:
    ///   - bytes: At most as many as leave the file no longer than twice its snapshot, or 128 KiB.
    ///   - path: Where the file is.
    ///   - header: The header of the file.
    ///   - stamp: The stamp that the file is expected to have.
    /// - Returns: The outcome.
    static func append(
        _ bytes: [UInt8],
        to path: String,
        header: String,
        as stamp: Stamp
    ) -> Addition {
        let file = open(path, O_RDWR | O_APPEND | O_CLOEXEC)
        guard file >= 0 else { return .another }
        defer { _ = close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, Stamp(status) == stamp else { return .another }
        guard let line = RecordLine(in: Reader.read(100, of: file, at: header.utf8.count)[...]),
            bytes.count <= 2 * max(line.byteCount, 64 << 10) - stamp.byteCount,
            bytes.withUnsafeBytes({ write(file, $0.baseAddress, $0.count) }) == bytes.count,
            // Where two processes add something at the same time, the last of them sees it here.
            fstat(file, &status) == 0, Int(status.st_size) == stamp.byteCount + bytes.count
        else { return .refused }
        return .added(Stamp(status))
    }
}

extension CacheFile {
    /// The line before a record's document.
    struct RecordLine {
        /// The document's length.
        let byteCount: Int
        let check: UInt32
        let end: End
        /// The line's own length, with its line feed.
        let length: Int

        /// Reads the line that bytes begin with; `nil` where it is none.
        init?(in bytes: ArraySlice<UInt8>) {
            guard let feed = bytes.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
            let words = bytes[..<feed].split(
                separator: UInt8(ascii: " "),
                omittingEmptySubsequences: false
            )
            guard words.count == 4, let byteCount = Int(digits: words[0]),
                let check = UInt32(hexadecimal: words[1]),
                let token = Token(String(decoding: words[2], as: UTF8.self)),
                let rowCount = Int(digits: words[3])
            else { return nil }
            self.byteCount = byteCount
            self.check = check
            end = End(token: token, rowCount: rowCount)
            length = feed - bytes.startIndex + 1
        }
    }
}

extension CacheFile.Stamp {
    init(_ status: stat) {
        file = UInt64(status.st_ino)
        byteCount = Int(status.st_size)
        seconds = Int(status.changed.tv_sec)
        nanoseconds = Int(status.changed.tv_nsec)
    }
}

extension stat {
    /// When anything about the file was changed.
    fileprivate var changed: timespec {
        #if canImport(Darwin)
        st_ctimespec
        #else
        st_ctim
        #endif
    }

    /// When the file was last written, or confirmed.
    var modified: Date {
        #if canImport(Darwin)
        let time = st_mtimespec
        #else
        let time = st_mtim
        #endif
        return Date(
            timeIntervalSince1970: Double(time.tv_sec) + Double(time.tv_nsec) / 1_000_000_000
        )
    }
}

extension Int {
    /// A whole number of 1 to 18 digits.
    fileprivate init?(digits: ArraySlice<UInt8>) {
        guard 1...18 ~= digits.count else { return nil }
        self = 0
        for byte in digits {
            let digit = byte &- UInt8(ascii: "0")
            guard digit <= 9 else { return nil }
            self = self * 10 + Int(digit)
        }
    }
}

extension UInt32 {
    /// A number of 1 to 8 hexadecimal digits, in lower case.
    fileprivate init?(hexadecimal digits: ArraySlice<UInt8>) {
        guard 1...8 ~= digits.count else { return nil }
        self = 0
        for byte in digits {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                self = self << 4 | UInt32(byte - UInt8(ascii: "0"))
            case UInt8(ascii: "a")...UInt8(ascii: "f"):
                self = self << 4 | UInt32(byte - UInt8(ascii: "a") + 10)
            default: return nil
            }
        }
    }
}
