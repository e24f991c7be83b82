import FeedModel
import Foundation

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// The format of a feed's file in the cache: a header line and records.
///
/// The first record has a snapshot, each later one changes or rows that were loaded.
///
/// A record is a line `LENGTH CHECKSUM TOKEN ROWS ACCESS`, a document of LENGTH bytes, and a line
/// feed. The checksum is the document's CRC-32. TOKEN, ROWS and ACCESS are the version, the number
/// of rows, and who may see them after this record.
enum CacheFile {
    /// The access to a feed's content, by the last response about it.
    enum Access: Equatable {
        /// Everyone may see the content.
        case open
        /// Everyone may see the content, and the feed has been missing on the server since this
        /// time, in seconds since 1970.
        case missing(since: Int)
        /// Only users of one key, with this ``CachedFeed/owner``, may see the content.
        case owner(String)
    }

    /// The result of a file's records: the version, the number of its rows that are in the file,
    /// and the access to them.
    struct End: Equatable {
        var token: Token
        var rowCount: Int
        var access: Access

        /// Whether this is ahead of another result of the same epoch: a later version, or more
        /// rows.
        func isBeyond(_ other: End) -> Bool {
            guard token.hasSameEpoch(as: other.token) else { return false }
            return (token.version, rowCount) > (other.token.version, other.rowCount)
        }
    }

    /// The state of a file at a moment: its inode, length and change time.
    ///
    /// Any later write, by any process, makes another stamp.
    struct Stamp: Equatable {
        fileprivate let file: UInt64
        let byteCount: Int
        fileprivate let seconds: Int
        fileprivate let nanoseconds: Int

        /// Whether inode and length are equal, so that at most the times differ.
        func isSameContent(as other: Stamp) -> Bool {
            file == other.file && byteCount == other.byteCount
        }
    }

    /// The known state of a file with complete records: as long as the stamp is the same, the file
    /// need not be read.
    struct Known: Equatable {
        var stamp: Stamp
        var end: End
    }

    /// Returns the bytes of a record, after the header of a file that begins with it; `end` is the
    /// result of all records up to this one.
    static func record(_ document: [UInt8], _ end: End, after header: String = "") -> Data {
        let check = String(CRC32(document[...]).value, radix: 16)
        let result = "\(end.token) \(end.rowCount) \(end.access)"
        let head = "\(header)\(document.count) \(check) \(result)\n"
        var bytes = Data(capacity: head.utf8.count + document.count + 1)
        bytes.append(contentsOf: head.utf8)
        bytes.append(contentsOf: document)
        bytes.append(UInt8(ascii: "\n"))
        return bytes
    }
}

/// Inspects and extends files.
extension CacheFile {
    /// Returns the current state of a file; `nil`: there is no such file.
    static func stamp(of path: String) -> Stamp? {
        var status = stat()
        return stat(path, &status) == 0 ? Stamp(status) : nil
    }

    /// Returns the result of a file's complete records, and whether the file ends after them;
    /// `nil`: there is no such file, or no record.
    static func end(of path: String, header: String) -> (known: Known, isWhole: Bool)? {
        guard var file = Reader(path, header: header) else { return nil }
        var end: End?
        while let (_, next) = file.next() { end = next }
        return end.map { (Known(stamp: file.stamp, end: $0), file.isWhole) }
    }

    /// The outcome of appending to a file.
    enum Addition {
        /// The record was appended; the file has this stamp now.
        case added(Stamp)
        /// The file was changed by another process, and nothing was appended.
        case another
        /// The file should be written as a whole: appending failed, or would make it too long.
        case refused
    }

    /// Appends bytes to an existing file, by one write.
    ///
    /// The file may grow to twice the length of its snapshot, or to 128 KiB.
    ///
    /// - Parameter stamp: The stamp that the file is expected to have.
    static func append(
        _ bytes: Data,
        to path: String,
        header: String,
        as stamp: Stamp
    ) -> Addition {
        let file = open(path, O_RDWR | O_APPEND | O_CLOEXEC)
        guard file >= 0 else { return .another }
        defer { _ = close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, Stamp(status) == stamp else { return .another }
        let first = Reader.read(RecordLine.byteLimit, of: file, at: header.utf8.count)
        guard let line = RecordLine(in: first[...]),
            bytes.count <= 2 * max(line.byteCount, 64 << 10) - stamp.byteCount,
            bytes.withUnsafeBytes({ write(file, $0.baseAddress, $0.count) }) == bytes.count,
            // If two processes append at the same time, the last one notices it here.
            fstat(file, &status) == 0, Int(status.st_size) == stamp.byteCount + bytes.count
        else { return .refused }
        return .added(Stamp(status))
    }
}

extension CacheFile {
    /// The line before a record's document.
    struct RecordLine {
        /// The document's length in bytes.
        let byteCount: Int
        /// The document's CRC-32.
        let check: UInt32
        /// The result of all records up to this one.
        let end: End
        /// The line's own length in bytes, including its line feed.
        let length: Int

        /// The most bytes of a line.
        static let byteLimit = 160

        /// Parses the line at the start of some bytes; `nil`: there is no valid one.
        init?(in bytes: ArraySlice<UInt8>) {
            guard let feed = bytes.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
            let words = bytes[..<feed].split(
                separator: UInt8(ascii: " "),
                omittingEmptySubsequences: false
            )
            guard words.count == 5, let byteCount = Int(digits: words[0]),
                let check = UInt32(String(decoding: words[1], as: UTF8.self), radix: 16),
                let token = Token(String(decoding: words[2], as: UTF8.self)),
                let rowCount = Int(digits: words[3]),
                let access = CacheFile.Access(String(decoding: words[4], as: UTF8.self))
            else { return nil }
            self.byteCount = byteCount
            self.check = check
            end = End(token: token, rowCount: rowCount, access: access)
            length = feed - bytes.startIndex + 1
        }
    }
}

extension CacheFile.Access: LosslessStringConvertible {
    /// The access as a record's line has it.
    var description: String {
        switch self {
        case .open: "open"
        case .missing(let since): "missing-\(since)"
        case .owner(let owner): "owner-\(owner)"
        }
    }

    /// Parses the word of a record's line; `nil`: there is no such access.
    init?(_ word: String) {
        let parts = word.split(separator: "-", maxSplits: 1)
        switch (parts.first, parts.count) {
        case ("open", 1): self = .open
        case ("owner", 2): self = .owner(String(parts[1]))
        case ("missing", 2):
            guard let since = Int(digits: parts[1].utf8) else { return nil }
            self = .missing(since: since)
        default: return nil
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
    /// The time of the last change of the file's content or attributes.
    fileprivate var changed: timespec {
        #if canImport(Darwin)
        st_ctimespec
        #else
        st_ctim
        #endif
    }

    /// The time at which the file was last written, or confirmed to be current.
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
