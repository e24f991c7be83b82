import FeedDiff
import FeedModel
import Foundation

/// The first rows of a feed, in a file of their own, which an app shows in its first frame while
/// the whole file is being read.
extension CachedFeed {
    /// The largest file, in bytes, that is read whole at once and has no file of first rows:
    /// reading it takes about as long as reading the first rows.
    static let immediateByteLimit = 4 << 10

    /// Reads the part of the feed that can be read quickly: all of a small feed, the first rows of
    /// a larger one.
    ///
    /// The first rows serve only for display: whether the feed's own file is complete is not known
    /// yet.
    ///
    /// - Returns: The feed, and whether it is complete; `nil` if nothing can be read or shown.
    func readAtOnce() -> (feed: Content, isAll: Bool)? {
        let content = use { () -> (feed: Content, isAll: Bool)? in
            guard let file = CacheFile.Reader(path(.content), header: header) else { return nil }
            if file.byteCount <= CachedFeed.immediateByteLimit {
                return read(file).map { ($0, true) }
            }
            return readBeginning(asOf: file.date).map { ($0, false) }
        }
        return content ?? nil
    }

    private var beginningHeader: String { "first rows of " + header }

    private func readBeginning(asOf date: Date) -> Content? {
        guard var file = CacheFile.Reader(path(.beginning), header: beginningHeader),
            let (bytes, end) = file.next(), file.isWhole,
            let document = try? ServedDocument(parsing: bytes)
        else { return nil }
        var copy = FeedCopy(feed, view: view)
        guard (try? copy.take(document)) != nil, copy.token != nil, isAllowed(end.access, &copy)
        else { return nil }
        return Content(copy: copy, date: date, file: nil)
    }

    /// Writes the file of first rows of a feed that was just written, unless the feed is short.
    ///
    /// - Parameter old: The copy whose first rows were last written; `nil`: unknown.
    func keepBeginning(of copy: FeedCopy, since old: FeedCopy?) {
        // If another process has written the feed, it has also written the first rows.
        guard let file, file.end == end(of: copy, at: file.end.token) else { return }
        guard file.stamp.byteCount > CachedFeed.immediateByteLimit else {
            return remove(.beginning)
        }
        let beginning = copy.beginning
        var first = file.end
        first.rowCount = beginning.snapshot.count
        let encoder = DocumentEncoder(feed: feed)
        let document = encoder.snapshot(beginning, token: first.token)
        if let old, access(of: old) == first.access,
            encoder.snapshot(old.beginning, token: first.token) == document,
            CacheFile.stamp(of: path(.beginning)) != nil
        {
            return
        }
        try? write(CacheFile.record(document, first, after: beginningHeader), to: .beginning)
    }
}

extension FeedCopy {
    /// The most first rows: more than a phone's screen shows.
    private static let beginningRowLimit = 32
    /// The most bytes of the first rows' JSON, not counting the first row.
    private static let beginningByteLimit = 32 << 10

    /// The first rows, as a view of the feed limited to them.
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
