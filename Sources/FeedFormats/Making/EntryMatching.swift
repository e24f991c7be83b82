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
        /// `nil` where it is known by its address alone.
        let guid: String?
        let urlKey: String?
        let title: String?
        let published: String?
    }

    private var known: [Known] = []
    private var byID: [String: Int] = [:]
    /// What more than one article has leads to none: `-1`.
    private var byURL: [String: Int] = [:]
    private var byTitle: [String: Int] = [:]
    private var byPath: [String: Int] = [:]
    private var used: Set<String> = []
    /// The articles that the ids of like entries lead to, in the order of the ids, and how many of the
    /// first ones are used.
    private var chains: [String: (list: [Int], usedCount: Int)] = [:]
    /// The first number that may make a new id, for like entries.
    private var nextNumbers: [String: Int] = [:]
    /// Titles of several entries that have nothing else to tell them apart.
    private var repeatedTitles: Set<String> = []
    /// How many ids were made and compared.
    private(set) var stepCount = 0

    /// The most articles that an entry is compared with: those of one guid and address.
    static let comparisonLimit = 64

    /// - Parameter items: Those of the version before.
    init(_ items: some Sequence<FeedItem>) {
        for item in items {
            let values = item.values(of: ["guid", "url", "title", "published"])
            func text(_ name: ExactString) -> String? {
                guard let value = values[name], case .string(let text) = JSONValue(value) else {
                    return nil
                }
                return text.string
            }
            let index = known.count
            let (id, url) = (item.id.string, text("url"))
            let isByURL = url.map { EntryID.id($0) == id } ?? false
            let entry = Known(
                id: id,
                guid: text("guid") ?? (isByURL ? nil : id),
                urlKey: url.map(WebAddress.key),
                title: text("title"),
                published: text("published")
            )
            known.append(entry)
            byID[entry.id] = index
            if let key = entry.urlKey { byURL[key] = byURL[key] == nil ? index : -1 }
            if let key = EntryMatching.titleKey(entry.title, entry.published) {
                byTitle[key] = byTitle[key] == nil ? index : -1
            }
            if let key = EntryMatching.pathKey(entry.guid, url, entry.title) {
                byPath[key] = byPath[key] == nil ? index : -1
            }
        }
    }

    private static func titleKey(_ title: String?, _ published: String?) -> String? {
        guard let title, let published else { return nil }
        return title + "\n" + published
    }

    /// Title and path of what is known by an address, which stay when a site moves; `nil`: there is none.
    private static func pathKey(_ guid: String?, _ url: String?, _ title: String?) -> String? {
        guard let title, let path = WebAddress.pathKey(guid ?? "") ?? WebAddress.pathKey(url ?? "")
        else { return nil }
        return title + "\n" + path
    }

    /// Ids for all entries of a document, in order; `nil`: the entry is there already.
    mutating func ids(of given: [SourceEntry]) -> [String?] {
        let entries = given.map(\.asKept)
        (used, chains, nextNumbers) = ([], [:], [:])
        repeatedTitles = EntryMatching.repeatedTitles(entries)
        var counts: [String: Int] = [:]
        for entry in entries { if let guid = entry.guid { counts[guid, default: 0] += 1 } }
        var urlCounts: [String: Int] = [:]
        for entry in entries {
            if let url = entry.url { urlCounts[WebAddress.key(url), default: 0] += 1 }
        }
        var pathCounts: [String: Int] = [:]
        for entry in entries {
            if let key = EntryMatching.pathKey(entry) { pathCounts[key, default: 0] += 1 }
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
        find { entry in
            let key = EntryMatching.pathKey(entry).flatMap { pathCounts[$0] == 1 ? $0 : nil }
            guard let index = key.flatMap({ byPath[$0] }), index >= 0 else { return nil }
            let times = [known[index].published, entry.published?.text].compactMap(\.self)
            return Set(times).count < 2 ? unused(known[index].id) : nil
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

    private func evidence(_ known: Known, _ entry: SourceEntry, urlKey: String?) -> Evidence {
        let published = entry.published?.text
        let pairs = [
            (known.urlKey, urlKey), (known.title, entry.title),
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
    private mutating func known(
        _ entry: SourceEntry,
        if isFit: (Evidence) -> Bool
    ) -> String? {
        if known.isEmpty { return nil }
        let key = base(entry) + "\n" + EntryMatching.detail(entry)
        var chain = chains[key] ?? (list: chain(entry), usedCount: 0)
        while chain.usedCount < chain.list.count,
            used.contains(known[chain.list[chain.usedCount]].id)
        {
            chain.usedCount += 1
        }
        chains[key] = chain
        let urlKey = entry.url.map(WebAddress.key)
        var count = 0
        for position in chain.usedCount..<chain.list.count {
            let index = chain.list[position]
            if used.contains(known[index].id) { continue }
            count += 1
            guard count <= EntryMatching.comparisonLimit else { break }
            stepCount += 1
            // An id that is made of title and time says as much as they do.
            let isCertain = count == 1 && chain.usedCount == 0 && isNameless(entry)
            guard isFit(isCertain ? .same : evidence(known[index], entry, urlKey: urlKey)) else {
                continue
            }
            chains[key]?.list.remove(at: position)
            return known[index].id
        }
        return nil
    }

    /// The articles that have one of the ids that an entry could have been given.
    private mutating func chain(_ entry: SourceEntry) -> [Int] {
        var list: [Int] = []
        var number = 0
        while true {
            stepCount += 1
            let index = byID[candidate(entry, number)]
            if let index { list.append(index) }
            number += 1
            // Those before may have gone since it was given.
            if index == nil, number > 3 { return list }
        }
    }

    private func isNameless(_ entry: SourceEntry) -> Bool { entry.guid == nil && entry.url == nil }

    /// The id of an article that is known by another guid, and by its own is not in the document.
    private func moved(_ entry: SourceEntry, byURLToo: Bool) -> String? {
        var found: Int?
        if byURLToo, let url = entry.url { found = byURL[WebAddress.key(url)] }
        // Some sites have one address for all articles.
        if let index = found, index >= 0, !mayShareAddress(known[index], entry) { found = nil }
        if found == nil, let key = EntryMatching.titleKey(entry.title, entry.published?.text) {
            found = byTitle[key]
        }
        guard let found, found >= 0, !used.contains(known[found].id) else { return nil }
        return known[found].id
    }

    /// Whether an entry with an article's address may be that article: one of them has no guid, or
    /// title or time are the same, or there are none.
    private func mayShareAddress(_ known: Known, _ entry: SourceEntry) -> Bool {
        guard let guid = entry.guid, let old = known.guid, guid != old else { return true }
        if let path = WebAddress.pathKey(guid), path == WebAddress.pathKey(old) { return true }
        let pairs = [(known.title, entry.title), (known.published, entry.published?.text)]
            .compactMap { pair in pair.0.flatMap { one in pair.1.map { one == $0 } } }
        return pairs.isEmpty || pairs.contains(true)
    }

    /// An id that no article has or had in the version before.
    private mutating func new(_ entry: SourceEntry) -> String {
        let key = base(entry) + "\n" + EntryMatching.detail(entry)
        var number = nextNumbers[key] ?? 0
        while true {
            stepCount += 1
            let candidate = candidate(entry, number)
            number += 1
            if !used.contains(candidate), byID[candidate] == nil {
                nextNumbers[key] = number
                return candidate
            }
        }
    }

    /// The ids that an entry can have, the first one unless another article has it.
    private func candidate(_ entry: SourceEntry, _ number: Int) -> String {
        let text = base(entry)
        guard number > 0 else {
            return entry.guid == nil && entry.url == nil ? EntryID.digest(text) : EntryID.id(text)
        }
        let count = number > 1 ? "|\(number - 1)" : ""
        return EntryID.digest(text + "|" + EntryMatching.detail(entry) + count)
    }

    /// What an entry is known by: guid, address, or else title and time.
    private func base(_ entry: SourceEntry) -> String {
        if let name = entry.guid ?? entry.url { return name }
        let isAlone = entry.title.map { !repeatedTitles.contains($0) } ?? false
        let content = isAlone || entry.published != nil ? nil : entry.content ?? entry.contentHTML
        return [entry.title, entry.published?.text, content].compactMap(\.self)
            .joined(separator: "\n")
    }

    /// What tells entries of one guid apart.
    private static func detail(_ entry: SourceEntry) -> String { entry.url ?? entry.title ?? "" }

    private static func pathKey(_ entry: SourceEntry) -> String? {
        pathKey(entry.guid, entry.url, entry.title)
    }

    /// The titles that several entries have which have no guid, address or time.
    private static func repeatedTitles(_ entries: [SourceEntry]) -> Set<String> {
        var (seen, repeated): (Set<String>, Set<String>) = ([], [])
        for entry in entries
        where entry.guid == nil && entry.url == nil && entry.published == nil {
            if let title = entry.title, !seen.insert(title).inserted { repeated.insert(title) }
        }
        return repeated
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
