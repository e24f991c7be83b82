import FeedModel

/// The changes from a version of a feed to the next one, which rebuild the next version byte for
/// byte.
///
/// The changes are those of the protocol (docs/READING.md, "Applying changes"), but for updates:
/// updated members and items are stored whole. Members thus keep their order, and values their
/// spelling.
struct VersionDelta {
    /// The first byte of an encoded delta, the version of the encoding.
    ///
    /// Another byte means an encoding that this server does not know.
    static let form: UInt8 = 1

    /// The feed's own members after the changes; `nil`: they did not change.
    var feed: Members?
    var removedSections: [ExactString] = []
    var movedSections: [Changes.SectionMove] = []
    var insertedSections: [Changes.SectionInsertion] = []
    var updatedSections: [(id: ExactString, members: Members)] = []
    var removedItems: [ExactString] = []
    var movedItems: [Changes.ItemMove] = []
    var insertedItems: [Changes.ItemInsertion] = []
    var updatedItems: [FeedItem] = []

    /// The number of items in the next version.
    var count = 0
    /// The checksum of the items' order in the next version (``FeedModel/Snapshot/order``).
    var order: UInt32 = 0
}

extension VersionDelta {
    /// Makes the delta between two versions.
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
