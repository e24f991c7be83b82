import FeedFormats
import FeedModel

/// A page of a feed's items in a document for feed readers (paged feeds, RFC 5005 §3).
///
/// New items are on the first page: a feed that begins with the oldest item is reversed, if its
/// items do not fit on one page.
///
/// A page names the item before it, so that inserted items do not shift the following pages. If
/// that item is gone, the page begins at the offset in the query.
struct SyndicationPage: Sendable, Hashable {
    /// The most items that a query can ask for, and the number without a `limit` in the query.
    static let maximumCount = 1000

    /// The most items; `nil` if the query does not state a limit.
    private let limit: Int?
    /// The id of the item before the page; `nil` if the query names none.
    private let after: ExactString?
    /// The number of items before the page, used if ``after`` is `nil` or that item is gone.
    private let offset: Int

    /// Makes the first page.
    init() { (limit, after, offset) = (nil, nil, 0) }

    /// Reads the page from a query.
    ///
    /// - Throws: `400` for a parameter that is malformed or repeated.
    init(_ query: Query) throws(Problem) {
        limit = try query.number(.limit, in: 1...SyndicationPage.maximumCount)
        after = try query.value(.after).map(ExactString.init(_:))
        offset = try query.number(.offset) ?? 0
    }

    private init(limit: Int?, after: ExactString, offset: Int) {
        (self.limit, self.after, self.offset) = (limit, after, offset)
    }

    /// The most items of the page.
    var entryCount: Int { limit ?? SyndicationPage.maximumCount }

    var isFirst: Bool { after == nil && offset == 0 }

    /// The query of the page, relative to the feed's address; empty for the first page of the
    /// default length.
    var reference: String {
        var pairs: [String] = []
        if let limit { pairs.append("limit=\(limit)") }
        if let after { pairs.append("after=" + after.string.percentEncoded) }
        if offset > 0 { pairs.append("offset=\(offset)") }
        return pairs.isEmpty ? "" : "?" + pairs.joined(separator: "&")
    }

    /// Returns the number of the feed's items before the page.
    private func start(in snapshot: Snapshot) -> Int {
        guard let after, let position = snapshot.position(ofItem: after) else { return offset }
        let before = snapshot.sections.prefix(Int(position.section))
            .reduce(0) { $0 + $1.items.count }
        let index = before + Int(position.index)
        return isReversed(snapshot) ? snapshot.sections.itemCount - index : index + 1
    }

    /// Returns whether the pages go from the feed's last item to its first, so that the newest
    /// items come first; only a feed with a single section can be reversed.
    func isReversed(_ snapshot: Snapshot) -> Bool {
        snapshot.sections.itemCount > entryCount && snapshot.isOldestFirst
    }

    /// Returns the items of the page, in reverse order if ``isReversed(_:)``.
    func items(of snapshot: Snapshot) -> [FeedItem] {
        let start = start(in: snapshot)
        guard isReversed(snapshot) else {
            return RowDocuments.rows(of: snapshot, from: start, atMost: entryCount).map(\.item)
        }
        let sections = snapshot.sections
        guard start < sections.itemCount, let section = sections.first else { return [] }
        let end = sections.itemCount - start
        return section.items[max(0, end - entryCount)..<end].reversed()
    }

    /// Returns the next page; `nil` if this is the last one.
    func next(in snapshot: Snapshot) -> SyndicationPage? {
        let sections = snapshot.sections
        let start = start(in: snapshot)
        // A start past the end has no next page, and would overflow the sum.
        guard start < sections.itemCount, start + entryCount < sections.itemCount,
            let (section, index) = sections.position(
                ofItem: isReversed(snapshot)
                    ? sections.itemCount - start - entryCount : start + entryCount - 1
            )
        else { return nil }
        let last = sections[section].items[index].id
        return SyndicationPage(limit: limit, after: last, offset: start + entryCount)
    }
}
