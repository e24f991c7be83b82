import FeedDiff
import FeedModel
import Foundation

/// The first rows of a large feed, in a file of their own: what an app shows at its first frame,
/// while the rest is being read.
extension FeedCache {
    /// A feed's file that has no more bytes is read whole at once.
    static let immediateByteLimit = 256 << 10

    /// What is known at once of a feed that is kept: all of it where that is little, otherwise its
    /// first rows.
    ///
    /// - Returns: Also whether it is all; `nil` if there is nothing, or nothing that can be read.
    func readAtOnce(_ key: Key) -> (feed: CachedFeed, isAll: Bool)? {
        guard let file = CacheFile.Reader(url(of: key), header: key.header) else { return nil }
        if file.byteCount <= FeedCache.immediateByteLimit {
            return read(file, as: key).map { ($0, true) }
        }
        return readBeginning(key, asOf: file.date).map { ($0, false) }
    }

    private func readBeginning(_ key: Key, asOf date: Date) -> CachedFeed? {
        guard var file = CacheFile.Reader(beginningURL(of: key), header: key.beginningHeader),
            let (bytes, _) = file.next(), file.isWhole,
            let document = try? ServedDocument(parsing: bytes)
        else { return nil }
        var copy = FeedCopy(key.feed, view: key.view)
        guard (try? copy.take(document)) != nil, copy.token != nil else { return nil }
        return CachedFeed(copy: copy, date: date)
    }

    /// Keeps the first rows of a feed that was just written, if that is large.
    ///
    /// - Parameters:
    ///   - copy: The feed.
    ///   - old: What it was when they were kept the last time; `nil`: not known.
    ///   - key: Which feed it is.
    func keepBeginning(of copy: FeedCopy, since old: FeedCopy?, as key: Key) {
        let url = beginningURL(of: key)
        guard let token = copy.token, CacheFile.byteCount(of: self.url(of: key)) > FeedCache.immediateByteLimit else {
            try? FileManager.default.removeItem(at: url)
            return
        }
        let beginning = copy.beginning
        if let old, old.beginning.snapshot.isShown(like: beginning.snapshot),
            FileManager.default.fileExists(atPath: url.path)
        {
            return
        }
        let document = DocumentEncoder(feed: copy.feed).snapshot(beginning, token: token)
        let bytes = CacheFile.bytes(header: key.beginningHeader, document, token)
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
    private static let beginningRowLimit = 200
    /// Bytes of the JSON of rows.
    private static let beginningByteLimit = 64 << 10

    /// The first rows, as a view of the feed that shows no more.
    var beginning: ViewedSnapshot {
        var (rows, bytes) = (0, 0)
        var sections: [FeedSection] = []
        var counts: [Int] = []
        sections: for section in snapshot.sections {
            var items: [FeedItem] = []
            for item in section.items {
                rows += 1
                bytes += item.json.bytes.count
                if rows > FeedCopy.beginningRowLimit || bytes > FeedCopy.beginningByteLimit {
                    break
                }
                items.append(item)
            }
            sections.append(FeedSection(id: section.id, members: section.members, items: items))
            counts.append(count(ofSection: section.id) ?? section.items.count)
            if items.count < section.items.count { break sections }
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
