import FeedFormats
import FeedModel

/// The sections of a derived feed.
extension DerivedFeed {
    /// The key that sections are sorted by.
    struct SectionRank {
        var key: SortKey
        var place: Int
        var id: ExactString
    }

    /// The id of the last section, for items without the member that sections are made by.
    static let otherSection: ExactString = "#"

    /// Returns the id of the section that an item belongs to.
    func section(_ values: ItemValues, _ feed: FeedName) -> ExactString {
        switch derivation.sections {
        case .one: return "main"
        case .bySource: return ExactString(feed.rawValue)
        case .byDay(let path):
            guard case .string(let text) = path.value(in: values),
                let date = SortKey.date(text.string)
            else { return DerivedFeed.otherSection }
            return ExactString(String(date.text.prefix(10)))
        case .byMember(let path):
            guard let text = DerivedFeed.text(path.value(in: values)) else {
                return DerivedFeed.otherSection
            }
            return ExactString(EntryID.id(text))
        }
    }

    /// Returns the text of a value that sections can be made of; `nil`: no section can be.
    private static func text(_ value: JSONValue?) -> String? {
        switch value {
        case .string(let text): text.string.isEmpty ? nil : text.string
        case .number(let spelling): spelling
        case .bool(let isTrue): isTrue ? "true" : "false"
        case .object, .array, .null, nil: nil
        }
    }

    func sectionRank(_ id: ExactString) -> SectionRank {
        switch derivation.sections {
        case .one: return SectionRank(key: .none, place: 0, id: id)
        case .bySource:
            let place = FeedName(id.string).flatMap { sources[$0]?.place }
            return SectionRank(key: .none, place: place ?? .max, id: id)
        case .byDay, .byMember:
            let key = id == DerivedFeed.otherSection ? SortKey.none : .text(id)
            return SectionRank(key: key, place: 0, id: id)
        }
    }

    func sectionPrecedes(_ left: SectionRank, _ right: SectionRank) -> Bool {
        var isDescending = false
        if case .byDay = derivation.sections { isDescending = derivation.isDescending }
        let isFirst = left.key.precedes(right.key, isDescending: isDescending)
        return isFirst
            ?? (left.place == right.place ? left.id < right.id : left.place < right.place)
    }

    /// Returns the members of a section.
    ///
    /// - Parameter item: An item of the section.
    func sectionMembers(_ id: ExactString, _ item: FeedItem?) -> Members {
        var title: JSONText?
        switch derivation.sections {
        case .one: break
        case .bySource:
            title = FeedName(id.string).flatMap { sources[$0]?.snapshot.members["title"] }
        case .byDay: title = JSONText(string: id.string)
        case .byMember(let path):
            let value = item.flatMap { path.value(in: ItemValues($0, [path.name])) }
            title = DerivedFeed.text(value).map { JSONText(string: $0) }
            if id == DerivedFeed.otherSection { title = JSONText(string: id.string) }
        }
        return Members(title.map { [Member(name: "title", value: $0)] } ?? [])
    }

    /// Gives a feed's section the title that the feed has now.
    mutating func renewTitle(of feed: FeedName) {
        guard derivation.sections == .bySource else { return }
        let id = ExactString(feed.rawValue)
        guard let position = snapshot.position(ofSection: id) else { return }
        let members = sectionMembers(id, nil)
        guard members != snapshot.list[position].members else { return }
        snapshot.setMembers(members, ofSection: position)
    }
}
