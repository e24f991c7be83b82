import FeedFormats
import FeedModel

/// Which of a feed's items a document for feed readers has: one page of it (RFC 5005 §3).
///
/// Where not all items have room, feeds that begin with the oldest are turned round: what is new is
/// on the first page.
///
/// A page begins behind an item, so that what is inserted above moves none of the items that a
/// reader has yet to read. Where that item has gone, it begins at the number beside it.
struct SyndicationPage: Sendable, Hashable {
    /// Items in a document unless the query says otherwise, and at most.
    static let maximumCount = 1000

    /// How many items there are at most; `nil`: the query does not say.
    private let limit: Int?
    private let after: ExactString?
    private let offset: Int

    /// The first page.
    init() { (limit, after, offset) = (nil, nil, 0) }

    /// - Throws: `400` for a parameter that is malformed or repeated.
    init(_ query: Query) throws(Problem) {
        limit = try query.number(.limit, in: 1...SyndicationPage.maximumCount)
        after = try query.value(.after).map(ExactString.init(_:))
        offset = try query.number(.offset) ?? 0
    }

    private init(limit: Int?, after: ExactString, offset: Int) {
        (self.limit, self.after, self.offset) = (limit, after, offset)
    }

    var entryCount: Int { limit ?? SyndicationPage.maximumCount }

    var isFirst: Bool { after == nil && offset == 0 }

    /// The query that names the page in the feed's address; empty for the first page of the usual
    /// length.
    var reference: String {
        var pairs: [String] = []
        if let limit { pairs.append("limit=\(limit)") }
        if let after { pairs.append("after=" + PercentEncoding.encode(after.string)) }
        if offset > 0 { pairs.append("offset=\(offset)") }
        return pairs.isEmpty ? "" : "?" + pairs.joined(separator: "&")
    }

    /// How many items of the feed are before it.
    private func start(in snapshot: Snapshot) -> Int {
        guard let after, let position = snapshot.position(ofItem: after) else { return offset }
        let before = snapshot.sections.prefix(Int(position.section))
            .reduce(0) { $0 + $1.items.count }
        let index = before + Int(position.index)
        return isTurned(snapshot) ? snapshot.sections.itemCount - index : index + 1
    }

    /// Whether the pages go from the last item to the first.
    func isTurned(_ snapshot: Snapshot) -> Bool {
        snapshot.sections.itemCount > entryCount && snapshot.isOldestFirst
    }

    /// How many items it has.
    func itemCount(in snapshot: Snapshot) -> Int {
        max(0, min(entryCount, snapshot.sections.itemCount - start(in: snapshot)))
    }

    /// Its items, in their order, or the other way round.
    func items(of snapshot: Snapshot) -> [FeedItem] {
        let sections = snapshot.sections
        var items: [FeedItem] = []
        var start = start(in: snapshot)
        if isTurned(snapshot) {
            guard start < sections.itemCount, let section = sections.first else { return [] }
            start = sections.itemCount - start
            return section.items[max(0, start - entryCount)..<start].reversed()
        }
        var position = sections.position(ofItem: start)
        while items.count < entryCount, let (number, start) = position {
            let section = sections[number]
            let end = min(section.items.count, start + entryCount - items.count)
            for index in start..<end { items.append(section.items[index]) }
            position = number + 1 < sections.count ? (number + 1, 0) : nil
        }
        return items
    }

    /// The page behind it; `nil`: it is the last one.
    func next(in snapshot: Snapshot) -> SyndicationPage? {
        let sections = snapshot.sections
        let start = start(in: snapshot)
        // What is past the end has nothing behind it, and the sum is no overflow.
        guard start < sections.itemCount, start + entryCount < sections.itemCount,
            let (section, index) = sections.position(
                ofItem: isTurned(snapshot)
                    ? sections.itemCount - start - entryCount : start + entryCount - 1
            )
        else { return nil }
        let last = sections[section].items[index].id
        return SyndicationPage(limit: limit, after: last, offset: start + entryCount)
    }
}
