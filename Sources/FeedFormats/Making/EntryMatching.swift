import FeedModel

/// Finds the id of each entry's article, or gives the entry a new id.
///
/// An entry is an item of the source's document, and an article the item that the feed has for it.
///
/// An article whose guid changes keeps its id if its address stays the same, or its title and time,
/// unless several entries have them. If only scheme, host or parameters of the guid change, the
/// same title is enough. If several entries have the same guid, the first new one keeps it, and the
/// ids of the others are made of guid and address.
struct EntryMatching {
    /// An article of the version before.
    private struct Known {
        let id: String
        /// The article's guid; `nil`: it is known by its address alone.
        let guid: String?
        let urlKey: String?
        let title: String?
        let published: String?
    }

    /// An entry of the document, with the keys that it is compared by.
    private struct Given {
        let entry: SourceEntry
        let urlKey: String?
        let titleKey: String?
        let pathKey: String?
        let detailsKey: String?

        init(_ entry: SourceEntry) {
            self.entry = entry
            urlKey = entry.url.map(WebAddress.key)
            titleKey = EntryMatching.titleKey(entry.title, entry.published?.text)
            pathKey = EntryMatching.pathKey(entry.guid, entry.url, entry.title)
            detailsKey = EntryMatching.detailsKey(
                entry.guid ?? entry.url,
                urlKey: urlKey,
                title: entry.title,
                published: entry.published?.text
            )
        }
    }

    private var known: [Known] = []
    /// Whether some article's id may be a digest; of entries that share a guid, all but the first
    /// have such an id.
    private var hasDigests = false
    private var byID: [String: Int] = [:]
    /// The articles by their guid, their address, their title and time, their title and path, or by
    /// all of these but the path; `-1`: several articles share the key.
    private var byGUID: [String: Int] = [:]
    private var byURL: [String: Int] = [:]
    private var byTitle: [String: Int] = [:]
    private var byPath: [String: Int] = [:]
    private var byDetails: [String: Int] = [:]
    private var used: Set<String> = []
    /// The ids that no entry may be given.
    private let taken: Set<ExactString>
    /// The articles whose ids an entry could have, by the entry's name and detail: their indices in
    /// the order of ``candidate(_:_:)``, and the number of used ones at the front.
    private var chains: [String: (list: [Int], usedCount: Int)] = [:]
    /// The first number that may make a new id, by the entry's name and detail.
    private var nextNumbers: [String: Int] = [:]
    /// The titles that several entries share, among entries without a guid, address or time.
    private var repeatedTitles: Set<String> = []
    /// The number of ids that were made and compared.
    private(set) var stepCount = 0

    /// The most articles that an entry is compared with: articles of the same guid and address.
    static let comparisonLimit = 64

    /// Reads the articles that entries are compared with, and takes the ids of the entries that are
    /// not.
    init(_ items: some Sequence<FeedItem>, taken: Set<ExactString> = []) {
        self.taken = taken
        for item in items {
            let values = item.values(of: ["guid", "url", "title", "published"])
            func text(_ name: ExactString) -> String? { values[name]?.stringValue }
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
            if id.utf8.count == 64 { hasDigests = true }
            func note(_ key: String?, in indices: inout [String: Int]) {
                if let key { indices[key] = indices[key] == nil ? index : -1 }
            }
            note(entry.guid, in: &byGUID)
            note(entry.urlKey, in: &byURL)
            note(EntryMatching.titleKey(entry.title, entry.published), in: &byTitle)
            note(EntryMatching.pathKey(entry.guid, url, entry.title), in: &byPath)
            // A digest is no name; an entry without a guid has its address for one.
            let name = text("guid") ?? (id.utf8.count == 64 ? url : id)
            let detailsKey = EntryMatching.detailsKey(
                name,
                urlKey: entry.urlKey,
                title: entry.title,
                published: entry.published
            )
            note(detailsKey, in: &byDetails)
        }
    }

    /// Returns the ids for all entries of a document, in order; `nil`: the entry is a repetition.
    ///
    /// - Parameter settled: The ids that are known already, by entry; empty: none is known.
    mutating func ids(of given: [SourceEntry], settled: [ExactString?] = []) -> [String?] {
        let given = given.contains(where: \.hasMarks) ? given.map(\.asKept) : given
        var ids = settled.map { $0?.string }
        ids += [String?](repeating: nil, count: given.count - ids.count)
        (used, chains, nextNumbers) = (Set(ids.compactMap(\.self)), [:], [:])
        repeatedTitles = EntryMatching.repeatedTitles(given)
        let new = EntryMatching.firsts(given, settled: ids)
        let distinct = given.indices.filter { ids[$0] != nil } + new
        let counts = EntryMatching.counts(distinct.lazy.map { given[$0].guid })
        if known.isEmpty {
            for index in new {
                let id = self.new(given[index], counts)
                ids[index] = id
                used.insert(id)
            }
        } else {
            match(given, at: new, among: distinct, guidCounts: counts, &ids)
        }
        return ids
    }

    /// Gives entries the ids of their articles, or new ids.
    ///
    /// Certain matches come first, so that no less certain match takes their ids.
    ///
    /// - Parameters:
    ///   - given: All entries of the document.
    ///   - new: The indices of the entries without an id.
    ///   - distinct: The indices of all entries that repeat no other.
    ///   - counts: The number of these with each guid.
    ///   - ids: The ids by entry.
    private mutating func match(
        _ given: [SourceEntry],
        at new: [Int],
        among distinct: [Int],
        guidCounts counts: [String: Int],
        _ ids: inout [String?]
    ) {
        let entries = given.map { Given($0) }
        let urlCounts = EntryMatching.counts(distinct.lazy.map { entries[$0].urlKey })
        let pathCounts = EntryMatching.counts(distinct.lazy.map { entries[$0].pathKey })
        let titleCounts = EntryMatching.counts(distinct.lazy.map { entries[$0].titleKey })
        func find(_ id: (Given) -> String?) {
            for index in new where ids[index] == nil {
                guard let found = id(entries[index]) else { continue }
                ids[index] = found
                used.insert(found)
            }
        }
        find { given in
            given.detailsKey.flatMap { byDetails[$0] }
                .flatMap { $0 < 0 ? nil : unused(known[$0].id) }
        }
        find { known($0, .same) }
        func findByGUID(_ id: (String) -> String?) {
            find { $0.entry.guid.flatMap { counts[$0] == 1 ? unused(id($0)) : nil } }
        }
        findByGUID { byGUID[$0].flatMap { $0 < 0 ? nil : known[$0].id } }
        findByGUID { EntryID.id($0) }
        find { given in
            moved(
                given,
                byURL: given.urlKey.map { urlCounts[$0] == 1 } ?? false,
                byTitle: given.titleKey.map { titleCounts[$0] == 1 } ?? false
            )
        }
        find { given in
            let key = given.pathKey.flatMap { pathCounts[$0] == 1 ? $0 : nil }
            guard let index = key.flatMap({ byPath[$0] }), index >= 0 else { return nil }
            let times = [known[index].published, given.entry.published?.text].compactMap(\.self)
            return Set(times).count < 2 ? unused(known[index].id) : nil
        }
        find { known($0, .unknown) }
        find { self.new($0.entry, counts) }
    }

    /// The result of comparing an entry's address, title and time with an article's.
    private enum Evidence {
        case same, different, unknown
    }

    private func evidence(_ known: Known, _ given: Given) -> Evidence {
        let (entry, urlKey) = (given.entry, given.urlKey)
        let published = entry.published?.text
        let pairs = [
            (known.urlKey, urlKey), (known.title, entry.title),
            // An article whose time was in the future has the time of its first fetch instead.
            (known.published, published.flatMap { $0 > known.published ?? "" ? nil : $0 }),
        ]
        let agreements = EntryMatching.agreements(pairs)
        if agreements.isEmpty { return .unknown }
        return agreements.allSatisfy(\.self) ? .same : .different
    }

    /// Returns whether the texts are equal in each pair that has both.
    private static func agreements(_ pairs: [(String?, String?)]) -> [Bool] {
        pairs.compactMap { left, right in left.flatMap { left in right.map { left == $0 } } }
    }

    /// Returns the id if an article of the version before has it and no entry does so far.
    private func unused(_ id: String?) -> String? {
        id.flatMap { byID[$0] == nil || used.contains($0) ? nil : $0 }
    }

    /// Returns the first id that the entry could have been given and that an article has for which
    /// this evidence speaks.
    private mutating func known(_ given: Given, _ evidence: Evidence) -> String? {
        if known.isEmpty { return nil }
        let entry = given.entry
        let key = base(entry) + "\n" + EntryMatching.detail(entry)
        var chain = chains[key] ?? (list: chain(entry), usedCount: 0)
        while chain.usedCount < chain.list.count,
            used.contains(known[chain.list[chain.usedCount]].id)
        {
            chain.usedCount += 1
        }
        chains[key] = chain
        var count = 0
        for position in chain.usedCount..<chain.list.count {
            let index = chain.list[position]
            if used.contains(known[index].id) { continue }
            count += 1
            guard count <= EntryMatching.comparisonLimit else { break }
            stepCount += 1
            // An id that is made of title and time is itself evidence that both are the same.
            let isCertain = count == 1 && chain.usedCount == 0 && isNameless(entry)
            let found = isCertain ? .same : self.evidence(known[index], given)
            guard found == evidence else { continue }
            chains[key]?.list.remove(at: position)
            return known[index].id
        }
        return nil
    }

    /// Returns the indices of the articles whose ids the entry could have been given.
    private mutating func chain(_ entry: SourceEntry) -> [Int] {
        var list: [Int] = []
        var number = 0
        while true {
            stepCount += 1
            let index = byID[candidate(entry, number)]
            if let index { list.append(index) }
            number += 1
            // Articles with lower numbers may have gone since the article got its number.
            if !hasDigests || index == nil && number > 3 { return list }
        }
    }

    private func isNameless(_ entry: SourceEntry) -> Bool { entry.guid == nil && entry.url == nil }

    /// Returns the id of an article that now has another guid, found by its address, or by title
    /// and time.
    ///
    /// - Parameters:
    ///   - byURL: Whether no other entry has the address.
    ///   - byTitle: Whether no other entry has both title and time.
    private func moved(_ given: Given, byURL isByURL: Bool, byTitle isByTitle: Bool) -> String? {
        let entry = given.entry
        var found: Int?
        if isByURL, let key = given.urlKey { found = byURL[key] }
        // Some sites have the same address for all articles.
        if let index = found, index < 0 || !mayShareAddress(known[index], entry) { found = nil }
        if found == nil, isByTitle, let key = given.titleKey { found = byTitle[key] }
        guard let found, found >= 0, !used.contains(known[found].id) else { return nil }
        return known[found].id
    }

    /// Returns whether an entry may be the article with its address.
    ///
    /// It is not, if the guids and their paths differ, and the titles and times that both have
    /// differ, too.
    private func mayShareAddress(_ known: Known, _ entry: SourceEntry) -> Bool {
        guard let guid = entry.guid, let old = known.guid, guid != old else { return true }
        if let path = WebAddress.pathKey(guid), path == WebAddress.pathKey(old) { return true }
        let agreements = EntryMatching.agreements([
            (known.title, entry.title), (known.published, entry.published?.text),
        ])
        return agreements.isEmpty || agreements.contains(true)
    }

    /// Returns an id that no entry has, and no article of the version before.
    ///
    /// - Parameter counts: The number of entries with each guid.
    private mutating func new(_ entry: SourceEntry, _ counts: [String: Int]) -> String {
        if let guid = entry.guid, counts[guid] == 1 {
            stepCount += 1
            let id = EntryID.id(guid)
            if isFree(id) { return id }
        }
        let key = base(entry) + "\n" + EntryMatching.detail(entry)
        var number = nextNumbers[key] ?? 0
        while true {
            stepCount += 1
            let candidate = candidate(entry, number)
            number += 1
            if isFree(candidate) {
                nextNumbers[key] = number
                return candidate
            }
        }
    }

    private func isFree(_ id: String) -> Bool {
        !used.contains(id) && byID[id] == nil && !taken.contains(ExactString(id))
    }

    /// Returns one of the ids that an entry can have, by its number.
    ///
    /// Number 0 is the id of the entry unless another article has it.
    private func candidate(_ entry: SourceEntry, _ number: Int) -> String {
        let text = base(entry)
        guard number > 0 else {
            return entry.guid == nil && entry.url == nil ? EntryID.digest(text) : EntryID.id(text)
        }
        let count = number > 1 ? "|\(number - 1)" : ""
        return EntryID.digest(text + "|" + EntryMatching.detail(entry) + count)
    }

    /// Returns the name that an entry is known by: guid, address, or else title and time.
    private func base(_ entry: SourceEntry) -> String {
        if let name = entry.guid ?? entry.url { return name }
        let isAlone = entry.title.map { !repeatedTitles.contains($0) } ?? false
        let content = isAlone || entry.published != nil ? nil : entry.content ?? entry.contentHTML
        return [entry.title, entry.published?.text, content].compactMap(\.self)
            .joined(separator: "\n")
    }

    /// Returns the text that distinguishes entries with one guid: the address, or else the title.
    private static func detail(_ entry: SourceEntry) -> String { entry.url ?? entry.title ?? "" }
}

/// Makes the keys by which entries and articles are found.
extension EntryMatching {
    private static func titleKey(_ title: String?, _ published: String?) -> String? {
        guard let title, let published else { return nil }
        return title + "\n" + published
    }

    /// Returns the guid, or else the address, of an entry or an article with the other details by
    /// which they are compared; `nil`: it has neither.
    private static func detailsKey(
        _ name: String?,
        urlKey: String?,
        title: String?,
        published: String?
    ) -> String? {
        name.map { [$0, urlKey ?? "", title ?? "", published ?? ""].joined(separator: "\n") }
    }

    /// Returns the title with the path of the guid or the address, which stay when a site moves;
    /// `nil`: there is no title or no such path.
    private static func pathKey(_ guid: String?, _ url: String?, _ title: String?) -> String? {
        guard let title, let path = WebAddress.pathKey(guid ?? "") ?? WebAddress.pathKey(url ?? "")
        else { return nil }
        return title + "\n" + path
    }

    private static func counts(_ texts: some Sequence<String?>) -> [String: Int] {
        var counts: [String: Int] = [:]
        for case let text? in texts { counts[text, default: 0] += 1 }
        return counts
    }

    /// Returns the indices of the entries without an id, each repeated entry once.
    ///
    /// An entry that repeats one before it, or one that has an id, is left out.
    private static func firsts(_ entries: [SourceEntry], settled ids: [String?]) -> [Int] {
        // An entry whose guid is unique repeats no other.
        let counts = counts(entries.lazy.map { $0.guid })
        func isAlone(_ entry: SourceEntry) -> Bool { entry.guid.map { counts[$0] == 1 } ?? false }
        var seen: Set<String> = []
        for index in entries.indices where ids[index] != nil && !isAlone(entries[index]) {
            seen.insert(fingerprint(entries[index]))
        }
        return entries.indices.filter { index in
            ids[index] == nil
                && (isAlone(entries[index])
                    || seen.insert(fingerprint(entries[index])).inserted)
        }
    }

    /// Returns a text that is equal for two entries of a document if they are the same.
    private static func fingerprint(_ entry: SourceEntry) -> String {
        [
            entry.guid, entry.url, entry.title, entry.published?.text, entry.content,
            entry.contentHTML,
        ]
        .map { $0 ?? "" }.joined(separator: "\n")
    }

    /// Returns the titles that several entries share, among entries without a guid, address or
    /// time.
    private static func repeatedTitles(_ entries: some Sequence<SourceEntry>) -> Set<String> {
        var (seen, repeated): (Set<String>, Set<String>) = ([], [])
        for entry in entries
        where entry.guid == nil && entry.url == nil && entry.published == nil {
            if let title = entry.title, !seen.insert(title).inserted { repeated.insert(title) }
        }
        return repeated
    }
}
