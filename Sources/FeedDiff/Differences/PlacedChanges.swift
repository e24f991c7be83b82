import FeedModel

/// The fewest changes from one version to another, both in one view, as positions only.
///
/// They contain no ids and no values. ``Changes`` are made from them by adding these. A JSON Patch,
/// which names positions, is made without them, so it needs hardly a look at the versions if much
/// differs.
package struct PlacedChanges: Sendable {
    /// The positions of a section or item in both versions.
    struct Pair<Position: Sendable>: Sendable {
        var old: Position
        var new: Position
    }

    /// A section whose members or full number of items differ.
    struct SectionUpdate {
        var position: Pair<Int>
        var edit: Changes.MemberEdit
        var fullCount: Int?
    }

    /// A section of the new version that receives inserted or moved items.
    struct Receiver {
        var new: Int
        /// The section's old position; `nil` if it was inserted.
        var old: Int?
        /// The section's part of ``PlacedChanges/insertedItems``.
        var insertedItems: Range<Int>
        /// The section's part of ``PlacedChanges/movedItems``.
        var movedItems: Range<Int>
    }

    /// The edit of the feed's own members.
    var feed = Changes.MemberEdit()
    /// The old positions of removed sections, ascending.
    var removedSections: [Int] = []
    /// The new positions of inserted sections, ascending.
    var insertedSections: [Int] = []
    /// The sections that move, ascending by new position.
    var movedSections: [Pair<Int>] = []
    /// The sections that differ, ascending by new position.
    var updatedSections: [SectionUpdate] = []

    /// The old positions of items that were removed from sections that stay, ascending.
    var removedItems: [ItemPosition] = []
    /// The new positions of inserted items, ascending.
    private(set) var insertedItems: [ItemPosition] = []
    /// The items that move, ascending by new position.
    var movedItems: [Pair<ItemPosition>] = []
    /// The indices in ``movedItems``, ascending by old position.
    var departures: [Int32] = []
    /// The sections that receive items, ascending.
    private(set) var receivers: [Receiver] = []
    /// The items that differ, ascending by new position.
    var updatedItems: [Pair<ItemPosition>] = []

    init() {}
}

extension PlacedChanges {
    /// Adds the inserted and moved items of a section.
    ///
    /// - Parameters:
    ///   - inserted: The indices in the section of inserted items, ascending.
    ///   - moved: The old positions of moved items, with their indices in the section, which
    ///     ascend.
    ///   - position: The section's new position, after those of all sections added before.
    ///   - oldPosition: The section's old position; `nil` if it was inserted.
    mutating func addItems(
        inserted: some Sequence<Int>,
        moved: some Sequence<(old: ItemPosition, index: Int)>,
        toSection position: Int,
        from oldPosition: Int?
    ) {
        let starts = (insertedItems.count, movedItems.count)
        for index in inserted {
            insertedItems.append(ItemPosition(section: position, index: index))
        }
        for (old, index) in moved {
            movedItems.append(Pair(old: old, new: ItemPosition(section: position, index: index)))
        }
        let receiver = Receiver(
            new: position,
            old: oldPosition,
            insertedItems: starts.0..<insertedItems.count,
            movedItems: starts.1..<movedItems.count
        )
        guard !receiver.insertedItems.isEmpty || !receiver.movedItems.isEmpty else { return }
        receivers.append(receiver)
    }

    /// Returns a lower bound for the bytes of a patch with these changes, so that one that would be
    /// too long need not be made.
    ///
    /// It counts an operation for each section and item, with indices of one digit.
    ///
    /// - Parameter new: The version that the changes lead to.
    func leastPatchByteCount(to new: ViewedSnapshot) -> Int {
        func length(_ operation: StaticString) -> Int { operation.utf8CodeUnitCount }
        let remove = length(#"{"op":"remove","path":"/sections/0"},"#)
        let move = length(#"{"op":"move","from":"/sections/0","path":"/sections/0"},"#)
        let places = length("/items/0")
        let added = length(#"{"op":"add","path":"/sections/0/items/0","value":},"#)
        var count = removedSections.count * remove + movedSections.count * move
        count += removedItems.count * (remove + places) + movedItems.count * (move + 2 * places)
        // The items of an inserted section are part of its value.
        if insertedSections.isEmpty { count += insertedItems.count * added }
        var reader = ListReader(new.base.list)
        for position in insertedItems { count += reader.item(at: position).json.bytes.count }
        return count
    }

    /// Returns the approximate number of bytes of a patch, without the values of updates.
    func patchByteEstimate(to new: ViewedSnapshot) -> Int {
        var count = 96 * movedItems.count + 64 * (removedItems.count + movedSections.count)
        count += 64 * (removedSections.count + insertedSections.count + insertedItems.count)
        if !insertedItems.isEmpty {
            count += new.itemByteCount / max(1, new.end.count) * insertedItems.count
        }
        return count
    }
}
