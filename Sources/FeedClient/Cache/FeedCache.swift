import FeedDiff
import FeedModel
public import Foundation

/// Feeds on disk, so that an app begins with what it knew, without a network, and asks only for the
/// rest.
///
/// Plain files, one a feed: a snapshot, and the changes and the rows that came after it, each with
/// its length and checksum. A large feed has one more, with its first rows. A file that is torn, of another
/// version or of another feed is as none. No lock is held on any, so an app and its extensions may
/// share a folder: a file is replaced as a whole, and changes are added in one piece and fit only
/// on the version that they start from.
public struct FeedCache: Sendable {
    /// The folder; it comes to be with the first feed.
    public let directory: URL

    /// The most bytes of all feeds together; those that were not used for longest go first.
    public let byteLimit: Int

    /// Makes a cache; touches no file.
    ///
    /// - Parameters:
    ///   - directory: The folder, which should hold nothing else. With an app group's container, an
    ///     extension sees the same feeds.
    ///   - byteLimit: The most bytes of all feeds together.
    public init(directory: URL, byteLimit: Int = 256 << 20) {
        self.directory = directory
        self.byteLimit = byteLimit
    }

    /// Removes all feeds.
    ///
    /// - Throws: Why a file could not be removed; the others are.
    public func removeAll() throws {
        var first: (any Error)?
        for file in files {
            do {
                try FileManager.default.removeItem(at: file.url)
            } catch CocoaError.fileNoSuchFile {
                // Somebody else was quicker.
            } catch {
                first = first ?? error
            }
        }
        if let first { throw first }
    }
}

/// A feed as it was kept.
struct CachedFeed {
    let copy: FeedCopy
    /// When the server last said that this is current.
    let date: Date
    /// Whether what is added to the file will be found again.
    var isWhole = true
}

/// One feed, at one server.
extension FeedCache {
    /// Which feed a file is of.
    struct Key: Hashable {
        let server: URL
        let feed: FeedName
        let view: FeedView

        /// The first line of its file; also says of which version the form is.
        var header: String {
            let sections = (view.sections ?? []).sorted().map { JSONText(string: $0.string) }
            let names = sections.map { String(decoding: $0.bytes, as: UTF8.self) }
            return "freshet-feed 1 \(server.absoluteString) \(feed.rawValue)"
                + " limit=\(view.limit.map(String.init) ?? "none")"
                + " sections=\(view.sections == nil ? "all" : "[\(names.joined(separator: ","))]")\n"
        }

        /// The feed's name, and what tells it from the same one elsewhere or in another view.
        var fileName: String {
            let check = CRC32(Array(header.utf8)[...]).value
            return "\(feed.rawValue)-\(String(check, radix: 16)).feed"
        }
    }

    /// What is kept of a feed; `nil` if there is nothing, or nothing that can be read.
    func read(_ key: Key) -> CachedFeed? {
        guard let file = CacheFile.Reader(url(of: key), header: key.header) else { return nil }
        return read(file, as: key)
    }

    /// What is kept in a feed's file that is open.
    func read(_ file: consuming CacheFile.Reader, as key: Key) -> CachedFeed? {
        var file = file
        var copy = FeedCopy(key.feed, view: key.view)
        while let (document, _) = file.next() {
            // What does not fit was added by another process; what comes after it may fit again.
            if let document = try? ServedDocument(parsing: document) {
                try? copy.takeKept(document)
            }
        }
        guard copy.token != nil else { return nil }
        // A feed that has loaded more rows than its limit was at first goes on with all of them.
        copy.view.limit = key.view.limit.map { max($0, copy.snapshot.count) }
        return CachedFeed(copy: copy, date: file.date, isWhole: file.isWhole)
    }

    /// Keeps a feed as it is, unless a later version is kept already.
    func write(_ copy: FeedCopy, as key: Key) {
        guard let token = copy.token else { return remove(key) }
        let encoder = DocumentEncoder(feed: copy.feed)
        write(token, as: key) { encoder.snapshot(copy.viewed, token: token) }
    }

    /// Keeps a feed as the server wrote it, unless a later version is kept already.
    ///
    /// - Parameter document: A snapshot.
    func write(_ document: ServedDocument, as key: Key) {
        guard let token = document.token else { return remove(key) }
        write(token, as: key) { document.json }
    }

    private func write(_ token: Token, as key: Key, _ document: () -> [UInt8]) {
        if let kept = CacheFile.token(of: url(of: key), header: key.header),
            kept.epoch == token.epoch, kept.version > token.version
        {
            return
        }
        let bytes = CacheFile.bytes(header: key.header, document(), token)
        // What cannot be kept is fetched again: a full disk is no reason to show nothing.
        try? FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        try? bytes.write(to: url(of: key), options: FeedCache.writingOptions)
        excludeFromBackup()
        prune(keeping: key)
    }

    /// Adds what has changed, or writes all where that is shorter by now.
    func append(_ document: ServedDocument, to copy: FeedCopy, as key: Key) {
        append(document.json, to: copy, as: key)
    }

    /// Adds rows that were loaded, or writes all where that is shorter by now.
    ///
    /// - Parameters:
    ///   - rows: What was inserted.
    ///   - copy: What that came to, at the version before.
    ///   - key: Which feed it is.
    func append(_ rows: Changes, to copy: FeedCopy, as key: Key) {
        guard let token = copy.token else { return }
        let encoder = DocumentEncoder(feed: copy.feed)
        let document = encoder.changes(rows, since: token, token: token, now: copy.viewed)
        append(document, to: copy, as: key)
    }

    private func append(_ document: [UInt8], to copy: FeedCopy, as key: Key) {
        guard let token = copy.token,
            let room = CacheFile.room(in: url(of: key), header: key.header),
            document.count <= room,
            CacheFile.append(CacheFile.record(document, token), to: url(of: key))
        else { return write(copy, as: key) }
    }

    /// Notes that what is kept is current still.
    func confirm(_ key: Key) {
        try? FileManager.default.setAttributes(
            [.modificationDate: Date()],
            ofItemAtPath: url(of: key).path
        )
    }

    /// Removes a feed.
    func remove(_ key: Key) {
        try? FileManager.default.removeItem(at: url(of: key))
        try? FileManager.default.removeItem(at: beginningURL(of: key))
    }

    func url(of key: Key) -> URL {
        directory.appendingPathComponent(key.fileName, isDirectory: false)
    }
}

/// The folder.
extension FeedCache {
    private struct File {
        let url: URL
        let byteCount: Int
        let date: Date
    }

    private var files: [File] {
        let keys: [URLResourceKey] = [.fileSizeKey, .contentModificationDateKey]
        let urls = try? FileManager.default.contentsOfDirectory(
            at: directory,
            includingPropertiesForKeys: keys
        )
        return (urls ?? []).filter { $0.pathExtension == "feed" }.map { url in
            let values = try? url.resourceValues(forKeys: Set(keys))
            return File(
                url: url,
                byteCount: values?.fileSize ?? 0,
                date: values?.contentModificationDate ?? Date(timeIntervalSince1970: 0)
            )
        }
    }

    /// Removes what was not used for longest.
    private func prune(keeping key: Key) {
        let files = files.sorted { $0.date > $1.date }
        var rest = byteLimit
        for file in files {
            rest -= file.byteCount
            let name = file.url.lastPathComponent
            if rest < 0, name != key.fileName, name != key.beginningName {
                try? FileManager.default.removeItem(at: file.url)
            }
        }
    }

    /// Whole or not at all; on a phone readable as soon as it was unlocked once, for extensions
    /// that run while it is locked.
    static var writingOptions: Data.WritingOptions {
        #if os(iOS)
        [.atomic, .completeFileProtectionUntilFirstUserAuthentication]
        #else
        .atomic
        #endif
    }

    private func excludeFromBackup() {
        #if canImport(Darwin)
        var directory = directory
        var values = URLResourceValues()
        values.isExcludedFromBackup = true
        try? directory.setResourceValues(values)
        #endif
    }
}
