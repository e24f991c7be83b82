/// The names of members that belong to the protocol, which a publisher cannot set.
package enum ReservedMembers {
    package static let feed: Set<ExactString> = [
        "kind", "feed", "token", "since", "reason", "count", "order", "total", "sections", "items",
        "changes",
    ]
    package static let section: Set<ExactString> = ["id", "count", "items"]
    package static let item: Set<ExactString> = ["id"]
}
