/// Where an item stands: the place of its section in the feed, and its own in the section.
struct ItemPlace: Equatable {
    var section: Int32
    var index: Int32

    init(section: Int, index: Int) {
        self.section = Int32(section)
        self.index = Int32(index)
    }
}

extension ItemPlace: Comparable {
    static func < (left: ItemPlace, right: ItemPlace) -> Bool {
        left.section == right.section ? left.index < right.index : left.section < right.section
    }
}

extension [Section] {
    /// The item at a place that is there.
    subscript(place: ItemPlace) -> Item {
        self[Int(place.section)].items[Int(place.index)]
    }
}
