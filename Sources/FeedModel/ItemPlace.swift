/// Where an item stands: the place of its section in the feed, and its own in the section.
package struct ItemPlace: Equatable, Sendable {
    package var section: Int32
    package var index: Int32

    /// Makes a place.
    package init(section: Int, index: Int) {
        self.section = Int32(section)
        self.index = Int32(index)
    }
}

extension ItemPlace: Comparable {
    package static func < (left: ItemPlace, right: ItemPlace) -> Bool {
        left.section == right.section ? left.index < right.index : left.section < right.section
    }
}
