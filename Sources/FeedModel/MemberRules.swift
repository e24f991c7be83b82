/// The rules for the members of a feed, a section and an item (docs/PROTOCOL.md, "Ids and values").
package enum MemberRules: Sendable {
    case feed, section, item

    /// The names of members that belong to the protocol, which a publisher cannot set.
    package var reserved: Set<ExactString> {
        switch self {
        case .feed: MemberRules.reservedOfFeed
        case .section: MemberRules.reservedOfSection
        case .item: MemberRules.reservedOfItem
        }
    }

    private static let reservedOfFeed: Set<ExactString> = [
        "kind", "feed", "token", "since", "reason", "count", "order", "total", "sections", "items",
        "changes",
    ]
    private static let reservedOfSection: Set<ExactString> = ["id", "count", "items"]
    private static let reservedOfItem: Set<ExactString> = ["id"]

    /// Returns whether a member must be a string.
    package func isText(_ name: ExactString) -> Bool {
        switch self {
        case .feed: name == "title"
        case .section: name == "title" || name == "index"
        case .item: name == "kind"
        }
    }

    /// Returns whether a member must be a whole number from 0, written in digits.
    package func isNumber(_ name: ExactString) -> Bool { self == .feed && name == "maxAge" }
}
