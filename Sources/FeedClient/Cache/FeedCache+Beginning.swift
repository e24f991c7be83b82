import FeedDiff
import FeedModel
import Foundation

/// The first rows of a feed, in a file of their own: what an app shows at its first frame, while
/// the rest is being read.
extension FeedCache {
    /// A feed's file that has no more bytes is read whole at once, and has no first rows of its
    /// own: about as long as reading those takes.
    static let immediateByteLimit = 4 << 10

    /// Returns the part of a kept feed that can be read at once: all of a small feed, the first
    /// rows of another.
    ///
    /// The first rows are there to be shown, and for nothing else: whether the feed itself is whole
    /// is not known yet.
    ///
    /// - Returns: Also whether it is all; `nil` if there is nothing, or nothing that can be read.
    func readAtOnce(_ key: Key) -> (feed: CachedFeed, isAll: Bool)? {
        guard let file = CacheFile.Reader(path(of: key), header: key.header) else { return nil }
        if file.byteCount <= FeedCache.immediateByteLimit {
            return read(file, as: key).map { ($0, true) }
        }
        return readBeginning(key, asOf: file.date).map { ($0, false) }
    }

    private func readBeginning(_ key: Key, asOf date: Date) -> CachedFeed? {
        let path = "\(path)/\(key.beginningName)"
        guard var file = CacheFile.Reader(path, header: key.beginningHeader),
            let (bytes, _) = file.next(), file.isWhole,
            let document = try? ServedDocument(parsing: bytes)
        else { return nil }
        var copy = FeedCopy(key.feed, view: key.view)
        guard (try? copy.take(document)) != nil, copy.token != nil,
            let allowed = allowed(copy, as: key)
        else { return nil }
        return CachedFeed(copy: allowed, date: date)
    }

    /// Keeps the first rows of a feed that was just written, unless it is short.
    ///
    /// - Parameters:
    ///   - copy: The feed.
    ///   - old: What it was when they were kept the last time; `nil`: not known.
    ///   - key: Which feed it is.
    ///   - file: The known state of its file.
    func keepBeginning(
        of copy: FeedCopy,
        since old: FeedCopy?,
        as key: Key,
        beside file: CacheFile.Known?
    ) {
        // What another process has kept has its own first rows.
        guard let file, let end = copy.end, file.end == end else { return }
        let url = beginningURL(of: key)
        guard file.stamp.byteCount > FeedCache.immediateByteLimit else {
            try? FileManager.default.removeItem(at: url)
            return
        }
        let beginning = copy.beginning
        if let old, old.beginning.snapshot.isShown(like: beginning.snapshot),
            CacheFile.stamp(of: url.path) != nil
        {
            return
        }
        let document = DocumentEncoder(feed: copy.feed).snapshot(beginning, token: end.token)
        let first = CacheFile.End(token: end.token, rowCount: beginning.snapshot.count)
        let bytes = CacheFile.bytes(header: key.beginningHeader, document, first)
        try? bytes.write(to: url, options: FeedCache.writingOptions)
    }

    func beginningURL(of key: Key) -> URL {
        directory.appendingPathComponent(key.beginningName, isDirectory: false)
    }
}

extension FeedCache.Key {
    fileprivate var beginningHeader: String { "first rows of " + header }

    /// The name of the file with the first rows.
    var beginningName: String { String(fileName.dropLast(5)) + ".first.feed" }
}

extension FeedCopy {
    /// More than a phone's screen shows.
    private static let beginningRowLimit = 32
    /// Bytes of the JSON of rows after the first one.
    private static let beginningByteLimit = 32 << 10

    /// The first rows, as a view of the feed that shows no more.
    var beginning: ViewedSnapshot {
        var (rows, bytes) = (0, 0)
        var sections: [FeedSection] = []
        var counts: [Int] = []
        sections: for section in snapshot.sections {
            var items: [FeedItem] = []
            for item in section.items {
                bytes += rows == 0 ? 0 : item.json.bytes.count
                rows += 1
                if rows > FeedCopy.beginningRowLimit || bytes > FeedCopy.beginningByteLimit {
                    break
                }
                items.append(item)
            }
            sections.append(FeedSection(id: section.id, members: section.members, items: items))
            counts.append(count(ofSection: section.id) ?? section.items.count)
            if items.count < section.items.count || counts.count == FeedCopy.beginningRowLimit {
                break sections
            }
        }
        return ViewedSnapshot(
            snapshot: Snapshot(members: snapshot.members, sections: sections),
            fullCounts: counts,
            total: total ?? snapshot.count
        )
    }
}

extension Snapshot {
    /// Whether a few rows look the same as others.
    fileprivate func isShown(like other: Snapshot) -> Bool {
        guard members.list == other.members.list, sections.count == other.sections.count else {
            return false
        }
        return zip(sections, other.sections).allSatisfy { left, right in
            left.id == right.id && left.members.list == right.members.list
                && left.items.elementsEqual(right.items)
        }
    }
}
