import FeedDiff
import FeedModel
public import Foundation

/// A cache of feeds on disk: an app starts with the feeds of its last run, without a network, and
/// then asks only for changes.
///
/// Each feed has a file with a snapshot and the later changes and loaded rows, each with its length
/// and checksum. A second file has the first rows of a feed that is not short, and a third one
/// whether the feed was read with a key and since when it is missing. Files that are damaged, of
/// another format or of another feed are ignored. An app and its extensions may share a folder
/// without locks: files are replaced as a whole, and changes are appended by one write, to a file
/// that ends with the version that the changes start from.
public struct FeedCache: Sendable {
    /// The folder; it is made with the first feed.
    public let directory: URL

    /// The most bytes of all files together.
    ///
    /// The files that were not used for longest are removed first.
    public let byteLimit: Int

    /// The folder's path.
    let path: String

    /// Makes a cache; no file is read or written yet.
    ///
    /// - Parameters:
    ///   - directory: The folder, which should have nothing else in it. A folder in an app group's
    ///     container is shared with the app's extensions.
    ///   - byteLimit: The most bytes of all files together.
    public init(directory: URL, byteLimit: Int = 256 << 20) {
        self.directory = directory
        self.byteLimit = byteLimit
        path = directory.path
    }

    /// Removes all feeds.
    ///
    /// - Throws: The error of the first file that could not be removed; all others are removed.
    public func removeAll() throws {
        var first: (any Error)?
        for file in files {
            do {
                try FileManager.default.removeItem(at: file.url)
            } catch CocoaError.fileNoSuchFile {
                // Another process has removed the file.
            } catch {
                first = first ?? error
            }
        }
        if let first { throw first }
    }
}

/// A feed that was read from the cache.
struct CachedFeed {
    let copy: FeedCopy
    /// The time at which the server last confirmed this version.
    let date: Date
    /// The state of the feed's file; `nil`: the file has to be written as a whole, since appended
    /// records would not be read.
    var file: CacheFile.Known?
}

/// The files of one feed.
extension FeedCache {
    /// The identity of a cached feed: server, feed and view.
    ///
    /// The key determines the names of the files.
    struct Key: Sendable {
        let feed: FeedName
        let view: FeedView

        /// An identifier of the bearer key that requests are sent with, which does not reveal the
        /// key.
        ///
        /// A feed that was read with another key is not shown.
        let owner: String

        /// The first line of the file, which includes the version of its format.
        let header: String

        /// The file's name: the feed's name, and a checksum of server and view.
        let fileName: String

        init(server: URL, feed: FeedName, view: FeedView, owner: String = "nobody") {
            self.feed = feed
            self.view = view
            self.owner = owner
            let sections = (view.sections ?? []).sorted().map { JSONText(string: $0.string) }
            let names = sections.map { String(decoding: $0.bytes, as: UTF8.self) }
            let list = view.sections == nil ? "all" : "[\(names.joined(separator: ","))]"
            header =
                "freshet-feed 2 \(server.absoluteString) \(feed.rawValue)"
                + " limit=\(view.limit.map(String.init) ?? "none")"
                + " sections=\(list)\n"
            let check = CRC32(Array(header.utf8)[...]).value
            fileName = "\(feed.rawValue)-\(String(check, radix: 16)).feed"
        }
    }

    /// Returns the cached copy of a feed; `nil`: there is none that can be read.
    func read(_ key: Key) -> CachedFeed? {
        guard let file = CacheFile.Reader(path(of: key), header: key.header) else { return nil }
        return read(file, as: key)
    }

    /// Returns the copy in an open file; `nil`: it has none that can be read or shown.
    func read(_ file: consuming CacheFile.Reader, as key: Key) -> CachedFeed? {
        var file = file
        var copy = FeedCopy(key.feed, view: key.view)
        var end: CacheFile.End?
        while let (document, next) = file.next() {
            // A record that does not fit was appended by another process at the same time; the
            // following ones may fit again.
            if let document = try? ServedDocument(parsing: document) {
                try? copy.takeKept(document)
            }
            end = next
        }
        guard let held = copy.end, let allowed = allowed(copy, as: key) else { return nil }
        copy = allowed
        // The limit is raised to the rows that were loaded in an earlier run.
        copy.view.limit = key.view.limit.map { max($0, copy.snapshot.count) }
        let isAsKnown = file.isWhole && end == held
        return CachedFeed(
            copy: copy,
            date: file.date,
            file: isAsKnown ? CacheFile.Known(stamp: file.stamp, end: held) : nil
        )
    }

    /// Removes the files of a feed.
    ///
    /// - Returns: `nil`, the state of a file that is not there.
    @discardableResult
    func remove(_ key: Key) -> CacheFile.Known? {
        try? FileManager.default.removeItem(at: url(of: key))
        try? FileManager.default.removeItem(at: beginningURL(of: key))
        try? FileManager.default.removeItem(at: stateURL(of: key))
        return nil
    }

    func url(of key: Key) -> URL {
        directory.appendingPathComponent(key.fileName, isDirectory: false)
    }

    func path(of key: Key) -> String { "\(path)/\(key.fileName)" }
}

/// The cache's folder.
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

    /// Removes the files that were not used for longest until the others are within the limit, but
    /// not those of the feed that was just written.
    func prune(keeping key: Key) {
        let files = files.sorted { $0.date > $1.date }
        var rest = byteLimit
        for file in files {
            rest -= file.byteCount
            let name = file.url.lastPathComponent
            if rest < 0, ![key.fileName, key.beginningName, key.stateName].contains(name) {
                try? FileManager.default.removeItem(at: file.url)
            }
        }
    }

    /// The options for writing: atomically; on iOS the files can be read once the device was
    /// unlocked after its start, so that extensions can run while it is locked.
    static var writingOptions: Data.WritingOptions {
        #if os(iOS)
        [.atomic, .completeFileProtectionUntilFirstUserAuthentication]
        #else
        .atomic
        #endif
    }

    func excludeFromBackup() {
        #if canImport(Darwin)
        var directory = directory
        var values = URLResourceValues()
        values.isExcludedFromBackup = true
        try? directory.setResourceValues(values)
        #endif
    }
}
