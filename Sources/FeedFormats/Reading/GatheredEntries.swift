/// The entries of a document, as long as they come to no more than a document of its length can
/// mean: relative addresses are short, and what they mean may be long.
struct GatheredEntries {
    private var entries: [SourceEntry] = []
    /// How many more bytes may come.
    private var byteCount: Int
    /// How many there were, those included that were too much.
    private(set) var seenCount = 0

    /// Whether they came to more, so that no other is taken.
    var isTooMuch: Bool { byteCount < 0 }

    init(ofDocument byteCount: Int) {
        self.byteCount = GatheredEntries.growthLimit(ofDocument: byteCount)
    }

    /// How many bytes the entries of a document of that length may come to.
    static func growthLimit(ofDocument byteCount: Int) -> Int { 8 * byteCount + 8 << 20 }

    mutating func take(_ entry: () -> SourceEntry) {
        seenCount += 1
        if isTooMuch { return }
        let place = entries.count
        entries.append(entry())
        if let title = entries[place].title, title.utf8.count > FeedReader.textLimit {
            entries[place].title = title.cut
        }
        byteCount -= entries[place].byteCount
        if isTooMuch { entries.removeLast() }
    }

    mutating func move(to feed: inout SourceFeed) {
        swap(&feed.entries, &entries)
        guard isTooMuch else { return }
        feed.isCutOff = true
        feed.notes.append(
            "its addresses come to too much; the first \(feed.entries.count) entries were taken"
        )
    }
}
