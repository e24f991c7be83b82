/// The position of an item: its section's position in the feed, and its index in the section.
package struct ItemPosition: Hashable, Sendable {
    package var section: Int32
    package var index: Int32

    /// Makes a position.
    package init(section: Int, index: Int) {
        self.section = Int32(section)
        self.index = Int32(index)
    }
}

extension ItemPosition: Comparable {
    package static func < (left: ItemPosition, right: ItemPosition) -> Bool {
        left.section == right.section ? left.index < right.index : left.section < right.section
    }
}
