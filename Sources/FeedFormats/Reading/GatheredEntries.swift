/// The entries of a document, up to a number of bytes that grows with the document.
///
/// Without that limit, very many short relative addresses could become long ones.
struct GatheredEntries {
    private var entries: [SourceEntry] = []
    private let limit: Int
    /// Whether the document goes from old to new, so that the last entries are kept; `nil` until
    /// there are more entries than ``limit``.
    private var isOldestFirst: Bool?
    /// The index where the next entry replaces the oldest.
    private var next = 0
    /// The number of bytes that entries may still take.
    private var byteCount: Int
    /// The number of entries seen, including those that exceeded a limit.
    private(set) var seenCount = 0

    /// Whether the entries exceed the limit in bytes; no more entries are then taken.
    var isTooMuch: Bool { byteCount < 0 }

    /// Whether there were more entries than are kept.
    var hasMore: Bool { isOldestFirst != nil }

    init(ofDocument byteCount: Int, limit: Int) {
        self.limit = max(1, limit)
        self.byteCount = GatheredEntries.growthLimit(ofDocument: byteCount)
    }

    /// Returns the number of bytes that the entries of a document of that length may take.
    static func growthLimit(ofDocument byteCount: Int) -> Int { 8 * byteCount + 8 << 20 }

    mutating func take(_ entry: () -> SourceEntry) {
        seenCount += 1
        if isTooMuch { return }
        if entries.count == limit {
            if isOldestFirst == nil {
                isOldestFirst = entries.map { $0.published ?? $0.updated }.areOldestFirst
            }
            if isOldestFirst == false { return }
        }
        let index = entries.count < limit ? entries.count : next
        if index < entries.count {
            byteCount += entries[index].byteCount
            entries[index] = entry()
            next = (next + 1) % limit
        } else {
            entries.append(entry())
        }
        if let title = entries[index].title, title.utf8.count > FeedReader.textLimit {
            entries[index].title = title.cut
        }
        byteCount -= entries[index].byteCount
        if isTooMuch {
            entries.remove(at: index)
            // The oldest entry now has this index.
            next = index
        }
    }

    mutating func move(to feed: inout SourceFeed) {
        if next > 0 {
            entries = Array(entries[next...] + entries[..<next])
        }
        swap(&feed.entries, &entries)
        let count = feed.entries.count
        if isTooMuch {
            feed.isCutOff = true
            // If there were more entries than the limit, neither the first nor the last are left.
            let taken = hasMore ? "only \(count) of \(seenCount)" : "the first \(count)"
            feed.notes.append("its addresses come to too much; \(taken) entries were taken")
        } else if hasMore {
            let which = isOldestFirst == true ? "last" : "first"
            feed.notes.append("only the \(which) \(limit) of \(seenCount) entries were taken")
        }
    }
}
