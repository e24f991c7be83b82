import FeedModel

/// The fewest changes from one version to another, both through one view, by positions alone.
///
/// Neither ids nor values are in it. ``Changes`` are made of it with these, and a JSON Patch, which
/// names places, without: what differs in much has hardly to be looked at for that.
package struct PlacedChanges: Sendable {
    /// The same section or item in both versions.
    struct Pair<Position: Sendable>: Sendable {
        var old: Position
        var new: Position
    }

    /// A section that differs in its members or its full number of items.
    struct SectionUpdate {
        var position: Pair<Int>
        var edit: Changes.MemberEdit
        var fullCount: Int?
    }

    /// A section of the new version that items come or move to.
    struct Receiver {
        var new: Int
        /// Where it was; `nil` where it came too.
        var old: Int?
        /// Which of ``PlacedChanges/insertedItems`` come to it.
        var insertedItems: Range<Int>
        /// Which of ``PlacedChanges/movedItems`` come to it.
        var movedItems: Range<Int>
    }

    /// What differs in the feed's own members.
    var feed = Changes.MemberEdit()
    /// Where the sections were that went, ascending.
    var removedSections: [Int] = []
    /// Where the sections are that came, ascending.
    var insertedSections: [Int] = []
    /// The sections that move, ascending by where they are.
    var movedSections: [Pair<Int>] = []
    /// The sections that differ, ascending by where they are.
    var updatedSections: [SectionUpdate] = []

    /// Where the items were that went from sections that stay, ascending.
    var removedItems: [ItemPosition] = []
    /// Where the items are that came, ascending.
    private(set) var insertedItems: [ItemPosition] = []
    /// The items that move, ascending by where they are.
    var movedItems: [Pair<ItemPosition>] = []
    /// Which of ``movedItems`` they are, ascending by where they were.
    var departures: [Int32] = []
    /// The sections that items come or move to, ascending.
    private(set) var receivers: [Receiver] = []
    /// The items that differ, ascending by where they are.
    var updatedItems: [Pair<ItemPosition>] = []

    init() {}
}

extension PlacedChanges {
    /// Adds the items that come and move to a section.
    ///
    /// - Parameters:
    ///   - inserted: Where in the section the items are that came, ascending.
    ///   - moved: The same of those that move, with where they were.
    ///   - position: The section's own, behind those of all that were added before.
    ///   - oldPosition: Where it was; `nil` where it came too.
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

    /// Bytes that no patch of them is shorter than, so that one that is too long need not be made:
    /// an operation for each section and item, with places of one digit.
    ///
    /// - Parameter new: What they lead to.
    func leastPatchByteCount(to new: ViewedSnapshot) -> Int {
        func length(_ operation: StaticString) -> Int { operation.utf8CodeUnitCount }
        let remove = length(#"{"op":"remove","path":"/sections/0"},"#)
        let move = length(#"{"op":"move","from":"/sections/0","path":"/sections/0"},"#)
        let places = length("/items/0")
        let added = length(#"{"op":"add","path":"/sections/0/items/0","value":},"#)
        var count = removedSections.count * remove + movedSections.count * move
        count += removedItems.count * (remove + places) + movedItems.count * (move + 2 * places)
        // Those of a section that came stand within it.
        if insertedSections.isEmpty { count += insertedItems.count * added }
        var reader = ListReader(new.base.list)
        for position in insertedItems { count += reader.item(at: position).json.bytes.count }
        return count
    }

    /// About the bytes of a patch, without values that differ.
    func patchByteEstimate(to new: ViewedSnapshot) -> Int {
        var count = 96 * movedItems.count + 64 * (removedItems.count + movedSections.count)
        count += 64 * (removedSections.count + insertedSections.count + insertedItems.count)
        if !insertedItems.isEmpty {
            count += new.itemByteCount / max(1, new.end.count) * insertedItems.count
        }
        return count
    }
}
