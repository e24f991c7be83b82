import FeedModel

/// A list on the way from its old order to its new one: everything that leaves or comes has a
/// slot among what stays, so that an index is the number of elements before that stay, and of slots
/// that are taken.
///
/// What is to be put in has its slot directly behind its final predecessor, before anything
/// that waits there to be taken out. Taking, leaving and counting cost the logarithm of the number
/// of slots, however long the list.
struct PatchPositions {
    /// The old positions of what leaves, ascending, and its slots, which are taken at first.
    private let leaving: [Int]
    private var leavingSlots: [Int] = []
    /// The final positions of what comes, ascending, and its slots, which are free at first.
    private let arriving: [Int]
    private var arrivingSlots: [Int] = []
    /// For each slot how many elements that stay are before it.
    private var ranks: [Int] = []
    private var taken: TakenSlots

    /// Lays out the slots.
    ///
    /// - Parameters:
    ///   - leaving: The positions in the old list of what leaves, ascending.
    ///   - arriving: The positions in the new list of what comes, ascending.
    init(leaving: [Int], arriving: [Int]) {
        self.leaving = leaving
        self.arriving = arriving
        taken = TakenSlots(count: 0, taken: [])
        for (number, position) in leaving.enumerated() {
            addArrivals(upTo: position - number)
            leavingSlots.append(ranks.count)
            ranks.append(position - number)
        }
        addArrivals(upTo: .max)
        taken = TakenSlots(count: ranks.count, taken: leavingSlots)
    }

    /// The slot of what leaves from an old position.
    func slot(leaving position: Int) -> Int? {
        slot(of: position, in: leaving, leavingSlots)
    }

    /// The slot of what comes to a final position.
    func slot(arriving position: Int) -> Int? {
        slot(of: position, in: arriving, arrivingSlots)
    }

    /// The index of what is in a slot, or is to be put there.
    func index(of slot: Int) -> Int {
        ranks[slot] + taken.count(before: slot)
    }

    /// The index of what stays, by its position in the old list.
    func index(unmoved position: Int) -> Int {
        let rank = position - leaving.partitioningIndex { $0 >= position }
        return rank + taken.count(before: ranks.partitioningIndex { $0 > rank })
    }

    /// Takes a free slot.
    mutating func take(_ slot: Int) {
        taken.take(slot)
    }

    /// Frees a taken slot.
    mutating func free(_ slot: Int) {
        taken.free(slot)
    }

    /// Gives slots to what comes before the next element that stays, `rank` others before that.
    private mutating func addArrivals(upTo rank: Int) {
        while arrivingSlots.count < arriving.count {
            let next = arriving[arrivingSlots.count] - arrivingSlots.count
            guard next <= rank else { return }
            arrivingSlots.append(ranks.count)
            ranks.append(next)
        }
    }

    private func slot(of position: Int, in positions: [Int], _ slots: [Int]) -> Int? {
        let number = positions.partitioningIndex { $0 >= position }
        return number < positions.count && positions[number] == position ? slots[number] : nil
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
