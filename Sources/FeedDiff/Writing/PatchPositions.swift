/// Computes indices in a list on the way from its old order to its new one.
///
/// Each element that leaves or arrives has a slot among the elements that stay. So the index of an
/// element is the number of staying elements before it, plus the number of taken slots before it.
///
/// An arriving element has its slot directly after its final predecessor, before all elements there
/// that still have to leave. Taking, freeing and counting slots takes time logarithmic in the
/// number of slots, however long the list is.
struct PatchPositions {
    /// The slots of leaving elements, by old position; they are taken at first.
    private(set) var leavingSlots: [Int32] = []
    /// The slots of arriving elements, by final position; they are free at first.
    private(set) var arrivingSlots: [Int32] = []
    /// The old positions of the leaving elements, ascending.
    private let leaving: [Int32]
    /// For each slot, the number of staying elements before it.
    private var ranks: [Int32] = []
    private var taken: TakenSlots

    /// Lays out the slots.
    ///
    /// - Parameters:
    ///   - leaving: The positions in the old list of the elements that leave, ascending.
    ///   - arriving: The positions in the new list of the elements that arrive, ascending.
    init(leaving: [Int32], arriving: [Int32]) {
        self.leaving = leaving
        taken = TakenSlots(count: 0, taken: [])
        leavingSlots.reserveCapacity(leaving.count)
        arrivingSlots.reserveCapacity(arriving.count)
        ranks.reserveCapacity(leaving.count + arriving.count)
        for (number, position) in leaving.enumerated() {
            let rank = position - Int32(number)
            add(arriving, upTo: rank)
            leavingSlots.append(Int32(ranks.count))
            ranks.append(rank)
        }
        add(arriving, upTo: .max)
        taken = TakenSlots(count: ranks.count, taken: leavingSlots)
    }

    /// Returns the index of the element in a slot, or of one to be put there.
    func index(of slot: Int32) -> Int {
        Int(ranks[Int(slot)]) + taken.count(before: Int(slot))
    }

    /// Returns the index of an element of the old list that stays or has not left yet, by its old
    /// position.
    func index(old position: Int) -> Int {
        let number = leaving.partitioningIndex { $0 >= Int32(position) }
        if number < leaving.count, leaving[number] == Int32(position) {
            return index(of: leavingSlots[number])
        }
        let rank = position - number
        return rank + taken.count(before: ranks.partitioningIndex { $0 > Int32(rank) })
    }

    /// Takes a free slot.
    mutating func take(_ slot: Int32) {
        taken.take(Int(slot))
    }

    /// Frees a taken slot.
    mutating func free(_ slot: Int32) {
        taken.free(Int(slot))
    }

    /// Adds slots for the arriving elements that have at most `rank` staying elements before them.
    private mutating func add(_ arriving: [Int32], upTo rank: Int32) {
        while arrivingSlots.count < arriving.count {
            let next = arriving[arrivingSlots.count] - Int32(arrivingSlots.count)
            guard next <= rank else { return }
            arrivingSlots.append(Int32(ranks.count))
            ranks.append(next)
        }
    }
}

extension Array {
    /// Returns the first index of an ascending list at which `isBehind` holds; the count if there
    /// is none.
    func partitioningIndex(_ isBehind: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if isBehind(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
