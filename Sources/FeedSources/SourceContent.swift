package import FeedFormats
package import FeedModel

/// The next content of a feed, from the document of its source.
struct SourceContent: Sendable {
    /// A document in the protocol's form, whose content ``make`` gets instead of the feed's current
    /// content.
    ///
    /// `nil`: the source has another form, or its document is empty and leaves the feed as it is.
    var document: [UInt8]?
    /// Makes the next content of the feed from the current one, which is `nil` if the feed does not
    /// exist.
    let make: @Sendable (Snapshot?) -> Snapshot

    /// Makes the content of a source's feed.
    ///
    /// - Parameters:
    ///   - believesEmpty: Whether the feed loses all its items if the document has no entries.
    ///   - now: The time in seconds since 1970.
    init(
        _ feed: SourceFeed,
        _ settings: SourceSettings,
        believesEmpty: Bool = true,
        now: Int
    ) {
        if let document = feed.nativeDocument {
            // An empty document clears the feed only if it is believed, and old items are not kept.
            let leavesAll = feed.isEmpty && (!believesEmpty || settings.keeping != .nothing)
            if leavesAll {
                make = { $0 ?? Snapshot() }
            } else {
                self.document = document
                make = { ($0 ?? Snapshot()).taken(by: settings) }
            }
            return
        }
        var options = SourceSnapshot.Options()
        options.title = settings.title
        options.keeping = settings.keeping
        options.believesEmpty = believesEmpty
        make = { [options, condition = settings.condition] current in
            SourceSnapshot.make(
                feed,
                current: current,
                options: options,
                now: FeedDate(seconds: now)
            ) { condition?.holds(for: $0) ?? true }
        }
    }
}

extension Snapshot {
    /// Returns the snapshot with the title from the settings, and only the items that meet their
    /// condition.
    fileprivate func taken(by settings: SourceSettings) -> Snapshot {
        var snapshot = self
        if let condition = settings.condition { snapshot = snapshot.filtered(by: condition) }
        guard let title = settings.title else { return snapshot }
        let member = Member(name: "title", value: JSONText(string: title))
        let members = snapshot.members.applying(Changes.MemberEdit(set: [member]))
        return Snapshot(members: members, sections: Array(snapshot.sections))
    }

    /// Returns the snapshot with only the items that meet a condition; sections that lose all their
    /// items are left out.
    package func filtered(by condition: ItemCondition) -> Snapshot {
        var filtered: [FeedSection] = []
        for section in sections {
            let items = section.items.filter(condition.holds)
            guard !items.isEmpty || section.items.isEmpty else { continue }
            filtered.append(FeedSection(id: section.id, members: section.members, items: items))
        }
        return Snapshot(members: members, sections: filtered)
    }
}

extension FeedReader {
    /// Makes a reader for a source's documents.
    package init(_ settings: SourceSettings, address: String, charset: String?) {
        self.init(address: address)
        self.charset = charset
        mapping = settings.mapping
        isSanitizing = settings.isSanitizing
    }
}
