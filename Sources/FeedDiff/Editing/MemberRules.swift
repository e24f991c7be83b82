import FeedModel

/// The rules for the members of a feed, a section and an item (docs/PROTOCOL.md, "Ids and values").
enum MemberRules {
    case feed, section, item

    static let isReserved = "belongs to the protocol"

    /// The names of the members that no edit may change.
    var reserved: Set<ExactString> {
        switch self {
        case .feed: ReservedMembers.feed
        case .section: ReservedMembers.section
        case .item: ReservedMembers.item
        }
    }

    /// Returns whether a member must be a string.
    private func isText(_ name: ExactString) -> Bool {
        switch self {
        case .feed: name == "title"
        case .section: name == "title" || name == "index"
        case .item: name == "kind"
        }
    }

    /// The most levels of nested objects and arrays of a value; an item's own object counts as one.
    private var depthLimit: Int {
        self == .item ? 63 : 64
    }

    /// Returns the reason why a member is not allowed, or `nil` if it is.
    func refusal(of entry: JSONValue.Entry) -> String? {
        if reserved.contains(entry.name) { return Self.isReserved }
        if isText(entry.name) {
            guard case .string = entry.value else { return "must be a string" }
        }
        if self == .feed, entry.name == "maxAge", !entry.value.text.isWholeNumber {
            return "must be a whole number from 0"
        }
        if self == .feed, entry.name == "collate",
            (try? FeedDocument.Collate(entry.value)) == nil
        {
            return "must have by and locale alone, which are strings"
        }
        return entry.value.isDeeper(than: depthLimit) ? "has more than 64 levels" : nil
    }
}

extension JSONValue {
    /// Returns whether the value has more than `limit` levels of nested objects and arrays.
    fileprivate func isDeeper(than limit: Int) -> Bool {
        switch self {
        case .object(let entries):
            limit == 0 || entries.contains { $0.value.isDeeper(than: limit - 1) }
        case .array(let values): limit == 0 || values.contains { $0.isDeeper(than: limit - 1) }
        case .string, .number, .bool, .null: false
        }
    }
}
