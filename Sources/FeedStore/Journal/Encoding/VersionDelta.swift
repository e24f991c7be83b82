import FeedModel

/// The changes from a version of a feed to the next one, byte for byte.
///
/// They are the protocol's changes (docs/READING.md, "Applying changes"), but
/// updated members and items are kept whole, so that members keep their order and values their
/// spelling.
struct VersionDelta {
    /// The first byte of a record; another byte means a form that this version does not know.
    static let form: UInt8 = 1

    var feed: Members?
    var removedSections: [ExactString] = []
    var movedSections: [Changes.SectionMove] = []
    var insertedSections: [Changes.SectionInsertion] = []
    var updatedSections: [(id: ExactString, members: Members)] = []
    var removedItems: [ExactString] = []
    var movedItems: [Changes.ItemMove] = []
    var insertedItems: [Changes.ItemInsertion] = []
    var updatedItems: [FeedItem] = []

    /// The number of items afterwards, and the check on their order.
    var count = 0
    var order: UInt32 = 0
}

extension VersionDelta {
    /// Takes the changes between two versions.
    ///
    /// - Parameters:
    ///   - changes: The changes from `old` to `new`.
    ///   - old: The version before.
    ///   - new: The next version, with an index of its ids.
    init(_ changes: Changes, from old: Snapshot, to new: Snapshot) {
        if !changes.feed.isEmpty { feed = new.members }
        removedSections = changes.removedSections
        movedSections = changes.movedSections
        insertedSections = changes.insertedSections
        updatedSections = changes.updatedSections.compactMap { update in
            new.position(ofSection: update.id).map { (update.id, new.sections[$0].members) }
        }
        removedItems = changes.removedItems
        movedItems = changes.movedItems
        insertedItems = changes.insertedItems
        updatedItems = changes.updatedItems.compactMap { new.item($0.id) }
        count = new.count
        order = new.order
    }
}
