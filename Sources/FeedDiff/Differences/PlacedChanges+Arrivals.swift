import FeedModel

extension PlacedChanges {
    /// An item that arrives in a section, as an index in ``insertedItems`` or ``movedItems``.
    enum Arrival {
        case inserted(Int)
        case moved(Int)
    }

    /// The inserted and moved items of a section, ascending by final position.
    struct Arrivals: Sequence, IteratorProtocol {
        private let insertedItems: [ItemPosition]
        private let movedItems: [Pair<ItemPosition>]
        private var inserted: Range<Int>
        private var moved: Range<Int>

        fileprivate init(_ changes: PlacedChanges, _ receiver: Receiver) {
            (insertedItems, movedItems) = (changes.insertedItems, changes.movedItems)
            (inserted, moved) = (receiver.insertedItems, receiver.movedItems)
        }

        mutating func next() -> Arrival? {
            let (insertion, move) = (inserted.lowerBound, moved.lowerBound)
            if inserted.isEmpty && moved.isEmpty { return nil }
            guard !inserted.isEmpty,
                moved.isEmpty || insertedItems[insertion].index < movedItems[move].new.index
            else {
                moved = move + 1..<moved.upperBound
                return .moved(move)
            }
            inserted = insertion + 1..<inserted.upperBound
            return .inserted(insertion)
        }
    }

    /// Returns the inserted and moved items of a section, ascending by final position.
    func arrivals(of receiver: Receiver) -> Arrivals { Arrivals(self, receiver) }

    /// Returns the final index in its section of an arriving item.
    func index(of arrival: Arrival) -> Int32 {
        switch arrival {
        case .inserted(let number): insertedItems[number].index
        case .moved(let number): movedItems[number].new.index
        }
    }
}
