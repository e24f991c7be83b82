import FeedDiff
import FeedModel

extension Snapshot {
    /// The ids in order: what the changes of positions are about.
    var layout: [[ExactString]] {
        sections.map { [$0.id] + $0.items.map(\.id) }
    }
}

extension ItemList {
    /// Whether both lists are one piece of memory.
    func sharesStorage(with other: ItemList) -> Bool {
        isIdentical(to: other)
    }
}
