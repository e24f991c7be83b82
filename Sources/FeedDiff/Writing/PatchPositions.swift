/// A list on the way from its old order to its new one: everything that leaves or comes has a
/// slot among what stays, so that an index is the number of elements before that stay, and of slots
/// that are taken.
///
/// What is to be put in has its slot directly behind its final predecessor, before anything
/// that waits there to be taken out. Taking, leaving and counting cost the logarithm of the number
/// of slots, however long the list.
struct PatchPositions {
    /// The slots of what leaves, by old positions; they are taken at first.
    private(set) var leavingSlots: [Int32] = []
    /// The slots of what comes, by final positions; they are free at first.
    private(set) var arrivingSlots: [Int32] = []
    /// The old positions of what leaves, ascending.
    private let leaving: [Int32]
    /// For each slot how many elements that stay are before it.
    private var ranks: [Int32] = []
    private var taken: TakenSlots

    /// Lays out the slots.
    ///
    /// - Parameters:
    ///   - leaving: The positions in the old list of what leaves, ascending.
    ///   - arriving: The positions in the new list of what comes, ascending.
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

    /// The index of what is in a slot, or is to be put there.
    func index(of slot: Int32) -> Int {
        Int(ranks[Int(slot)]) + taken.count(before: Int(slot))
    }

    /// The index of an element of the old list that stays or has not left yet, by its position
    /// there.
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

    /// Gives slots to what comes before the next element that stays, `rank` others before that.
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
    /// The first index of an ascending list at which `isBehind` holds; the count where there is
    /// none.
    func partitioningIndex(_ isBehind: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if isBehind(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
