import FeedModel

/// Finds for each entry of a document the id that its article has, or gives it one.
///
/// An article keeps its id when its guid changes, or only scheme, host or parameters of it, as long as
/// the address says the same, or title and time do: no article is removed and inserted for that. Where
/// several entries have the same guid, the first that is new keeps it, and the others' ids are made of
/// guid and address.
struct EntryMatching {
    /// An article of the version before.
    private struct Known {
        let id: String
        let urlKey: String?
        let titleKey: String?
    }

    private var known: [Known] = []
    private var byID: [String: Int] = [:]
    /// What more than one article has leads to none: `-1`.
    private var byURL: [String: Int] = [:]
    private var byTitle: [String: Int] = [:]
    private var used: Set<String> = []

    /// - Parameter items: Those of the version before.
    init(_ items: some Sequence<FeedItem>) {
        for item in items {
            let values = item.values(of: ["url", "title", "published"])
            func text(_ name: ExactString) -> String? {
                guard let value = values[name], case .string(let text) = JSONValue(value) else {
                    return nil
                }
                return text.string
            }
            let index = known.count
            let entry = Known(
                id: item.id.string,
                urlKey: text("url").map(WebAddress.key),
                titleKey: EntryMatching.titleKey(text("title"), text("published"))
            )
            known.append(entry)
            byID[entry.id] = index
            if let key = entry.urlKey { byURL[key] = byURL[key] == nil ? index : -1 }
            if let key = entry.titleKey { byTitle[key] = byTitle[key] == nil ? index : -1 }
        }
    }

    private static func titleKey(_ title: String?, _ published: String?) -> String? {
        guard let title, let published else { return nil }
        return title + "\n" + published
    }

    /// Ids for all entries of a document, in order; `nil`: the entry is there already.
    mutating func ids(of entries: [SourceEntry]) -> [String?] {
        used = []
        var counts: [String: Int] = [:]
        for entry in entries { if let guid = entry.guid { counts[guid, default: 0] += 1 } }
        var urlCounts: [String: Int] = [:]
        for entry in entries {
            if let url = entry.url { urlCounts[WebAddress.key(url), default: 0] += 1 }
        }
        var ids = [String?](repeating: nil, count: entries.count)
        var seen: Set<String> = []
        var isRepeated = [Bool](repeating: false, count: entries.count)
        for (index, entry) in entries.enumerated() {
            isRepeated[index] = !seen.insert(EntryMatching.fingerprint(entry)).inserted
        }
        // Those that are certain first, so that nothing less certain takes their ids.
        for (index, entry) in entries.enumerated() where !isRepeated[index] {
            guard let guid = entry.guid else { continue }
            let id = EntryID.id(guid)
            guard let match = byID[id], !used.contains(id) else { continue }
            if counts[guid] == 1 || isSame(known[match], entry) {
                ids[index] = id
                used.insert(id)
            }
        }
        for (index, entry) in entries.enumerated() where !isRepeated[index] && ids[index] == nil {
            let isAlone = entry.url.map { urlCounts[WebAddress.key($0)] == 1 } ?? false
            guard let id = moved(entry, byURLToo: isAlone) else { continue }
            ids[index] = id
            used.insert(id)
        }
        for (index, entry) in entries.enumerated() where !isRepeated[index] && ids[index] == nil {
            ids[index] = new(entry)
        }
        return ids
    }

    /// What makes two entries of a document one.
    private static func fingerprint(_ entry: SourceEntry) -> String {
        [
            entry.guid, entry.url, entry.title, entry.published?.text, entry.content,
            entry.contentHTML,
        ]
        .map { $0 ?? "" }.joined(separator: "\n")
    }

    private func isSame(_ known: Known, _ entry: SourceEntry) -> Bool {
        if let key = known.urlKey, let url = entry.url { return key == WebAddress.key(url) }
        let key = EntryMatching.titleKey(entry.title, entry.published?.text)
        return key != nil && key == known.titleKey
    }

    /// The id of an article that is known by another guid, and by its own is not in the document.
    private func moved(_ entry: SourceEntry, byURLToo: Bool) -> String? {
        var found: Int?
        if byURLToo, let url = entry.url { found = byURL[WebAddress.key(url)] }
        if found == nil, let key = EntryMatching.titleKey(entry.title, entry.published?.text) {
            found = byTitle[key]
        }
        guard let found, found >= 0, !used.contains(known[found].id) else { return nil }
        return known[found].id
    }

    /// An id that no article has or had in the version before.
    private mutating func new(_ entry: SourceEntry) -> String {
        let text =
            entry.guid ?? entry.url
            ?? [
                entry.title, entry.published?.text,
                entry.published == nil ? entry.content ?? entry.contentHTML : nil,
            ].compactMap(\.self).joined(separator: "\n")
        var candidate = text.isEmpty ? EntryID.digest("") : EntryID.id(text)
        if entry.guid == nil, entry.url == nil { candidate = EntryID.digest(text) }
        var count = 0
        while used.contains(candidate) || byID[candidate] != nil {
            candidate = EntryID.digest(
                text + "|" + (entry.url ?? entry.title ?? "") + (count > 0 ? "|\(count)" : "")
            )
            count += 1
        }
        used.insert(candidate)
        return candidate
    }
}
