import FeedModel

/// What a feed, a section and an item ask of their members (docs/PROTOCOL.md, "Words").
enum MemberRules {
    case feed, section, item

    static let isReserved = "belongs to the protocol"

    /// The members that no edit can name.
    var reserved: Set<ExactString> {
        switch self {
        case .feed: ReservedMembers.feed
        case .section: ReservedMembers.section
        case .item: ReservedMembers.item
        }
    }

    /// Whether a member must be a string.
    private func isText(_ name: ExactString) -> Bool {
        switch self {
        case .feed: name == "title"
        case .section: name == "title" || name == "index"
        case .item: name == "kind"
        }
    }

    /// How many objects and arrays a value may have in one another; an item's own object counts.
    private var depthLimit: Int {
        self == .item ? 63 : 64
    }

    /// Why it cannot have this member, or `nil` when it can.
    func refusal(of entry: JSONValue.Entry) -> String? {
        if reserved.contains(entry.name) { return Self.isReserved }
        if isText(entry.name) {
            guard case .string = entry.value else { return "must be a string" }
        }
        if self == .feed, entry.name == "maxAge", !entry.value.text.isWholeNumber {
            return "must be a whole number from 0"
        }
        if self == .feed, entry.name == "collate", !entry.value.isCollation {
            return "must have by and locale alone, which are strings"
        }
        return entry.value.isDeeper(than: depthLimit) ? "has more than 64 levels" : nil
    }
}

extension JSONValue {
    /// Whether it says how to sort and group items (docs/PROTOCOL.md, "Collation").
    fileprivate var isCollation: Bool {
        guard case .object(let entries) = self else { return false }
        let names = entries.compactMap { entry -> ExactString? in
            if case .string = entry.value { entry.name } else { nil }
        }
        return names.sorted() == ["by", "locale"] && entries.count == 2
    }

    /// Whether it has more than `limit` objects and arrays in one another.
    fileprivate func isDeeper(than limit: Int) -> Bool {
        switch self {
        case .object(let entries):
            limit == 0 || entries.contains { $0.value.isDeeper(than: limit - 1) }
        case .array(let values): limit == 0 || values.contains { $0.isDeeper(than: limit - 1) }
        case .string, .number, .bool, .null: false
        }
    }
}
