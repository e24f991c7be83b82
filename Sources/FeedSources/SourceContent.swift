package import FeedFormats
package import FeedModel

/// Reads what a source gave, and says what becomes of it.
package enum SourceContent: Sendable {
    /// A document of the protocol's own form, and what becomes of the feed that it says.
    case document([UInt8], @Sendable (Snapshot) -> Snapshot)
    /// The next content of a feed, made of what it holds.
    case made(@Sendable (Snapshot?) -> Snapshot)

    /// Content made of a feed that was read.
    ///
    /// - Parameter believesEmpty: Whether a feed loses all its items where there are no entries.
    package init(
        _ feed: SourceFeed,
        _ settings: SourceSettings,
        believesEmpty: Bool = true,
        now: Int
    ) {
        if let document = feed.ownForm {
            // What is kept of a feed that lost all its items is the feed.
            let leavesAll = feed.isEmpty && (!believesEmpty || settings.keeping != .nothing)
            self =
                leavesAll
                ? .made { $0 ?? Snapshot() } : .document(document) { $0.taken(by: settings) }
            return
        }
        var options = SourceSnapshot.Options()
        options.title = settings.title
        options.keeping = settings.keeping
        options.believesEmpty = believesEmpty
        self = .made { [options, condition = settings.condition] current in
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
    /// The same with the title, and the items alone, that the operator wants.
    fileprivate func taken(by settings: SourceSettings) -> Snapshot {
        var snapshot = self
        if let condition = settings.condition { snapshot = snapshot.filtered(by: condition) }
        guard let title = settings.title else { return snapshot }
        let member = Member(name: "title", value: JSONText(string: title))
        let members = snapshot.members.applying(Changes.MemberEdit(set: [member]))
        return Snapshot(members: members, sections: Array(snapshot.sections))
    }

    /// The same without the items that a condition does not hold for, and without the sections that
    /// lose all their items by that.
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
    /// A reader for a source.
    package init(_ settings: SourceSettings, address: String, charset: String?) {
        self.init(address: address)
        self.charset = charset
        mapping = settings.mapping
        isSanitizing = settings.isSanitizing
    }
}
