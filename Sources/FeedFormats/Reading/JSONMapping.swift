package import FeedDiff

/// The paths by which JSON of no known form is read: to the list of elements, and in each element
/// to the values of an item.
package struct JSONMapping: Sendable, Equatable {
    /// The path to the list; empty: the document itself.
    package var items: JSONPointer
    /// The paths in an element, by the member that each makes: `id`, `title`, `url` and others.
    package var members: [String: JSONPointer]
    /// The path to the feed's title, if the document has one.
    package var title: JSONPointer?

    package init(items: JSONPointer, members: [String: JSONPointer], title: JSONPointer? = nil) {
        self.items = items
        self.members = members
        self.title = title
    }
}
