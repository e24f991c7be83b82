import FeedDiff
import FeedModel
public import Foundation

/// Feeds on disk, so that an app begins with what it knew, without a network, and asks only for the
/// rest.
///
/// Plain files, one a feed: a snapshot, and the changes and the rows that came after it, each with
/// its length and checksum. Unless it is short, there is one more with its first rows, and one that
/// says whether it was read with a key, and since when it is gone. A file that is torn, of another
/// version or of another feed is as none. No lock is held on any, so an app and its extensions may
/// share a folder: a file is replaced as a whole, and what changed is added in one piece, to a file
/// that ends with what it changed.
public struct FeedCache: Sendable {
    /// The folder; it comes to be with the first feed.
    public let directory: URL

    /// The most bytes of all feeds together; those that were not used for longest go first.
    public let byteLimit: Int

    /// The folder's path.
    let path: String

    /// Makes a cache; touches no file.
    ///
    /// - Parameters:
    ///   - directory: The folder, which should hold nothing else. With an app group's container, an
    ///     extension sees the same feeds.
    ///   - byteLimit: The most bytes of all feeds together.
    public init(directory: URL, byteLimit: Int = 256 << 20) {
        self.directory = directory
        self.byteLimit = byteLimit
        path = directory.path
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
    /// Its file; `nil` where what is added to it would not be found again.
    var file: CacheFile.Known?
}

/// The file of one feed at one server.
extension FeedCache {
    /// Which feed a file is of.
    struct Key: Sendable {
        let feed: FeedName
        let view: FeedView

        /// The key that requests are sent with, as far as it can be told from others; what was read
        /// with another one is not shown.
        let owner: String

        /// The first line of its file, which also states the version of the file's form.
        let header: String

        /// The feed's name, and a mark that tells it from the same feed elsewhere or in another
        /// view.
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

    /// Returns the kept copy of a feed; `nil` if there is none, or none that can be read.
    func read(_ key: Key) -> CachedFeed? {
        guard let file = CacheFile.Reader(path(of: key), header: key.header) else { return nil }
        return read(file, as: key)
    }

    /// Returns the copy in a feed's file that is open.
    func read(_ file: consuming CacheFile.Reader, as key: Key) -> CachedFeed? {
        var file = file
        var copy = FeedCopy(key.feed, view: key.view)
        var end: CacheFile.End?
        while let (document, next) = file.next() {
            // What does not fit was added by another process; what comes after it may fit again.
            if let document = try? ServedDocument(parsing: document) {
                try? copy.takeKept(document)
            }
            end = next
        }
        guard let held = copy.end, let allowed = allowed(copy, as: key) else { return nil }
        copy = allowed
        // A feed that has loaded more rows than its limit was at first goes on with all of them.
        copy.view.limit = key.view.limit.map { max($0, copy.snapshot.count) }
        let isAsKnown = file.isWhole && end == held
        return CachedFeed(
            copy: copy,
            date: file.date,
            file: isAsKnown ? CacheFile.Known(stamp: file.stamp, end: held) : nil
        )
    }

    /// Removes a feed.
    ///
    /// - Returns: `nil`: the state of its file is unknown then.
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

    /// Whole or not at all; on a phone readable as soon as it was unlocked once, for extensions
    /// that run while it is locked.
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
