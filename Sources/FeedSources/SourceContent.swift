package import FeedFormats
package import FeedModel

/// The next content of a feed, from the document of its source.
struct SourceContent: Sendable {
    /// A document of the protocol's own form, which replaces the feed's content before ``make``
    /// gets it; `nil`: ``make`` gets the feed's current content.
    var document: [UInt8]?
    /// Makes the next content; `nil`: the feed does not exist.
    let make: @Sendable (Snapshot?) -> Snapshot

    /// Makes the content of a source's feed.
    ///
    /// - Parameter believesEmpty: Whether a feed loses all its items if the document has no
    ///   entries.
    init(
        _ feed: SourceFeed,
        _ settings: SourceSettings,
        believesEmpty: Bool = true,
        now: Int
    ) {
        if let document = feed.ownForm {
            // An empty document leaves the feed as it is, unless it is believed and no old items
            // are kept.
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
    /// Returns the snapshot with the title, and only the items, that the operator wants.
    fileprivate func taken(by settings: SourceSettings) -> Snapshot {
        var snapshot = self
        if let condition = settings.condition { snapshot = snapshot.filtered(by: condition) }
        guard let title = settings.title else { return snapshot }
        let member = Member(name: "title", value: JSONText(string: title))
        let members = snapshot.members.applying(Changes.MemberEdit(set: [member]))
        return Snapshot(members: members, sections: Array(snapshot.sections))
    }

    /// Returns the snapshot without the items that do not meet a condition, and without the
    /// sections that lose all their items by that.
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
