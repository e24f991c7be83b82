/// The keys that entries and articles are found by.
extension EntryMatching {
    static func titleKey(_ title: String?, _ published: String?) -> String? {
        guard let title, let published else { return nil }
        return title + "\n" + published
    }

    /// Returns the title with the path of the guid or the address, which stay when a site moves;
    /// `nil`: there is no title or no such path.
    static func pathKey(_ guid: String?, _ url: String?, _ title: String?) -> String? {
        guard let title, let path = WebAddress.pathKey(guid ?? "") ?? WebAddress.pathKey(url ?? "")
        else { return nil }
        return title + "\n" + path
    }

    static func counts(_ texts: some Sequence<String?>) -> [String: Int] {
        var counts: [String: Int] = [:]
        for case let text? in texts { counts[text, default: 0] += 1 }
        return counts
    }

    /// Returns the indices of the entries without an id, each repeated entry once.
    ///
    /// An entry that repeats one before it, or one that has an id, is left out.
    ///
    /// - Parameter counts: The number of entries with each guid; an entry whose guid is unique
    ///   repeats no other.
    static func firsts(
        _ entries: [SourceEntry],
        _ counts: [String: Int],
        settled ids: [String?]
    ) -> [Int] {
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
    static func fingerprint(_ entry: SourceEntry) -> String {
        [
            entry.guid, entry.url, entry.title, entry.published?.text, entry.content,
            entry.contentHTML,
        ]
        .map { $0 ?? "" }.joined(separator: "\n")
    }

    /// Returns the titles that several entries share, among entries without a guid, address or
    /// time.
    static func repeatedTitles(_ entries: some Sequence<SourceEntry>) -> Set<String> {
        var (seen, repeated): (Set<String>, Set<String>) = ([], [])
        for entry in entries
        where entry.guid == nil && entry.url == nil && entry.published == nil {
            if let title = entry.title, !seen.insert(title).inserted { repeated.insert(title) }
        }
        return repeated
    }
}
