import FeedModel

/// Finds the entries of a document that equal the feed's items for them (their articles) byte for
/// byte, as most do when a source is read again.
///
/// An unchanged entry need not be compared with other articles.
struct UnchangedEntries {
    /// The articles of the unchanged entries, by entry; `nil` for an entry that is to be compared.
    ///
    /// Such an entry may be new, changed, moved or a repetition.
    private(set) var articles: [FeedItem?] = []

    /// The ids of the articles that were found.
    private(set) var ids: Set<ExactString> = []

    /// Compares entries with the articles of their ids.
    ///
    /// - Parameters:
    ///   - known: The articles of the version before, by their ids.
    ///   - now: The current time; an entry of a later time is to be compared.
    init(_ entries: [SourceEntry], known: [ExactString: FeedItem], now: FeedDate) {
        articles.reserveCapacity(entries.count)
        // An entry is a large value, so these loops use indices and copy none.
        for index in entries.indices {
            let item = UnchangedEntries.article(of: entries[index], in: known, now: now)
            // Two entries that differ may make the same item of one id.
            articles.append(item.flatMap { ids.insert($0.id).inserted ? $0 : nil })
        }
    }

    private static func article(
        of entry: SourceEntry,
        in known: [ExactString: FeedItem],
        now: FeedDate
    ) -> FeedItem? {
        guard !known.isEmpty, let name = entry.guid ?? entry.url,
            entry.published.map({ $0 <= now }) ?? true,
            entry.url.map(WebAddress.isWeb) ?? true
        else { return nil }
        let id = EntryID.id(name)
        guard let item = known[ExactString(id)],
            SourceItem.bytes(entry, id: id, after: item, now: now) == item.json.bytes
        else { return nil }
        return item
    }

    /// Returns the indices of the entries to compare: all changed ones, and the unchanged ones that
    /// share a name, title or address with a changed one, which must not count as unique.
    func compared(_ entries: [SourceEntry]) -> [Int] {
        if ids.isEmpty { return Array(entries.indices) }
        var (names, titles, addresses): (Set<String>, Set<String>, Set<String>) = ([], [], [])
        for index in entries.indices where articles[index] == nil {
            if let name = entries[index].guid ?? entries[index].url { names.insert(name) }
            if let title = entries[index].title { titles.insert(title) }
            if let url = entries[index].url { addresses.insert(WebAddress.key(url)) }
        }
        return entries.indices.filter { index in
            if articles[index] == nil { return true }
            let (guid, url) = (entries[index].guid, entries[index].url)
            return (guid ?? url).map(names.contains) ?? false
                || entries[index].title.map(titles.contains) ?? false
                || url.map { addresses.contains(WebAddress.key($0)) } ?? false
        }
    }
}
