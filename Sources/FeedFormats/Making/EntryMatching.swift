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
        let title: String?
        let published: String?
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
                title: text("title"),
                published: text("published")
            )
            known.append(entry)
            byID[entry.id] = index
            if let key = entry.urlKey { byURL[key] = byURL[key] == nil ? index : -1 }
            if let key = EntryMatching.titleKey(entry.title, entry.published) {
                byTitle[key] = byTitle[key] == nil ? index : -1
            }
        }
    }

    private static func titleKey(_ title: String?, _ published: String?) -> String? {
        guard let title, let published else { return nil }
        return title + "\n" + published
    }

    /// Ids for all entries of a document, in order; `nil`: the entry is there already.
    mutating func ids(of given: [SourceEntry]) -> [String?] {
        let entries = given.map(\.asKept)
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
        let new = entries.indices.filter { !isRepeated[$0] }
        func find(_ id: (SourceEntry) -> String?) {
            for index in new where ids[index] == nil {
                guard let found = id(entries[index]) else { continue }
                ids[index] = found
                used.insert(found)
            }
        }
        // Those that are certain first, so that nothing less certain takes their ids.
        find { known($0) { $0 == .same } }
        find { $0.guid.flatMap { counts[$0] == 1 ? unused(EntryID.id($0)) : nil } }
        find { entry in
            let isAlone = entry.url.map { urlCounts[WebAddress.key($0)] == 1 } ?? false
            return moved(entry, byURLToo: isAlone)
        }
        find { known($0) { $0 == .unknown } }
        find { self.new($0) }
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

    /// What address, title and time say of whether an entry is an article.
    private enum Evidence {
        case same, different, unknown
    }

    private func evidence(_ known: Known, _ entry: SourceEntry) -> Evidence {
        let published = entry.published?.text
        let pairs = [
            (known.urlKey, entry.url.map(WebAddress.key)), (known.title, entry.title),
            // A time to come became that of the first sight.
            (known.published, published.flatMap { $0 > known.published ?? "" ? nil : $0 }),
        ].compactMap { pair in pair.0.flatMap { one in pair.1.map { one == $0 } } }
        if pairs.isEmpty { return .unknown }
        return pairs.allSatisfy(\.self) ? .same : .different
    }

    /// The id of an article of the version before, unless another entry has it.
    private func unused(_ id: String) -> String? {
        byID[id] == nil || used.contains(id) ? nil : id
    }

    /// The first of the ids that an entry could have been given that an article has.
    private func known(_ entry: SourceEntry, if isFit: (Evidence) -> Bool) -> String? {
        if known.isEmpty { return nil }
        var number = 0
        while true {
            let candidate = EntryMatching.candidate(entry, number)
            let index = byID[candidate]
            if let index, !used.contains(candidate) {
                // An id that is made of title and time says as much as they do.
                let isCertain = number == 0 && entry.guid == nil && entry.url == nil
                if isFit(isCertain ? .same : evidence(known[index], entry)) { return candidate }
            }
            number += 1
            // Those before may have gone since it was given.
            if index == nil, number > 3 { return nil }
        }
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
    private func new(_ entry: SourceEntry) -> String {
        var number = 0
        while true {
            let candidate = EntryMatching.candidate(entry, number)
            if !used.contains(candidate), byID[candidate] == nil { return candidate }
            number += 1
        }
    }

    /// The ids that an entry can have, the first one unless another article has it.
    private static func candidate(_ entry: SourceEntry, _ number: Int) -> String {
        let text =
            entry.guid ?? entry.url
            ?? [
                entry.title, entry.published?.text,
                entry.published == nil ? entry.content ?? entry.contentHTML : nil,
            ].compactMap(\.self).joined(separator: "\n")
        guard number > 0 else {
            return entry.guid == nil && entry.url == nil ? EntryID.digest(text) : EntryID.id(text)
        }
        let count = number > 1 ? "|\(number - 1)" : ""
        return EntryID.digest(text + "|" + (entry.url ?? entry.title ?? "") + count)
    }
}

extension SourceEntry {
    /// With what it is known by as items keep it: without byte order marks.
    fileprivate var asKept: SourceEntry {
        func kept(_ text: String?) -> String? {
            guard let text, text.utf8.contains(0xEF) else { return text }
            return String(String.UnicodeScalarView(text.unicodeScalars.filter { $0 != "\u{FEFF}" }))
        }
        var entry = self
        (entry.guid, entry.url, entry.title) = (kept(guid), kept(url), kept(title))
        return entry
    }
}
