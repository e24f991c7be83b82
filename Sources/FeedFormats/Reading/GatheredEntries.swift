/// The entries of a document, as long as they come to no more than a document of its length can
/// mean: relative addresses are short, and what they mean may be long.
struct GatheredEntries {
    private var entries: [SourceEntry] = []
    /// The most that are kept.
    private let limit: Int
    /// Whether the document goes from the old to the new, so that the last ones are kept; `nil`:
    /// there were not too many so far.
    private var isOldestFirst: Bool?
    /// Where the next one is put in the place of the oldest.
    private var next = 0
    /// How many more bytes may come.
    private var byteCount: Int
    /// How many there were, those included that were too much.
    private(set) var seenCount = 0

    /// Whether they came to more, so that no other is taken.
    var isTooMuch: Bool { byteCount < 0 }

    /// Whether there were more than are kept.
    var hasMore: Bool { isOldestFirst != nil }

    init(ofDocument byteCount: Int, limit: Int) {
        self.limit = max(1, limit)
        self.byteCount = GatheredEntries.growthLimit(ofDocument: byteCount)
    }

    /// How many bytes the entries of a document of that length may come to.
    static func growthLimit(ofDocument byteCount: Int) -> Int { 8 * byteCount + 8 << 20 }

    mutating func take(_ entry: () -> SourceEntry) {
        seenCount += 1
        if isTooMuch { return }
        if entries.count == limit {
            if isOldestFirst == nil {
                isOldestFirst = EntryOrder.isOldestFirst(entries.map { $0.published ?? $0.updated })
            }
            if isOldestFirst == false { return }
        }
        let place = entries.count < limit ? entries.count : next
        if place < entries.count {
            byteCount += entries[place].byteCount
            entries[place] = entry()
            next = (next + 1) % limit
        } else {
            entries.append(entry())
        }
        if let title = entries[place].title, title.utf8.count > FeedReader.textLimit {
            entries[place].title = title.cut
        }
        byteCount -= entries[place].byteCount
        if isTooMuch {
            entries.remove(at: place)
            // The oldest entry stands there now.
            next = place
        }
    }

    mutating func move(to feed: inout SourceFeed) {
        if next > 0 {
            entries = Array(entries[next...] + entries[..<next])
        }
        swap(&feed.entries, &entries)
        if hasMore {
            let which = isOldestFirst == true ? "last" : "first"
            feed.notes.append("only the \(which) \(limit) of \(seenCount) entries were taken")
        }
        guard isTooMuch else { return }
        feed.isCutOff = true
        feed.notes.append(
            "its addresses come to too much; the first \(feed.entries.count) entries were taken"
        )
    }
}
