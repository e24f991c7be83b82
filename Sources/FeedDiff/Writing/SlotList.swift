import FeedModel

/// A list on the way from its old order to its new one: everything that leaves or comes has a
/// slot among what stays, so that an index is the number of elements before that stay, and of slots
/// that are taken.
///
/// What is to be put in has its slot directly behind its final predecessor, before anything
/// that waits there to be taken out. Taking, leaving and counting cost the logarithm of the number
/// of slots, however long the list (P. Fenwick, "A New Data Structure for Cumulative Frequency
/// Tables", 1994).
struct SlotList {
    /// The old places of what leaves, ascending, and its slots, which are taken at first.
    private let leaving: [Int]
    private var leavingSlots: [Int] = []
    /// The final places of what comes, ascending, and its slots, which are free at first.
    private let arriving: [Int]
    private var arrivingSlots: [Int] = []
    /// For each slot how many elements that stay are before it.
    private var ranks: [Int] = []
    private var tree: [Int32] = []

    /// Lays out the slots.
    ///
    /// - Parameters:
    ///   - leaving: The places in the old list of what leaves, ascending.
    ///   - arriving: The places in the new list of what comes, ascending.
    init(leaving: [Int], arriving: [Int]) {
        self.leaving = leaving
        self.arriving = arriving
        for (number, place) in leaving.enumerated() {
            addArrivals(upTo: place - number)
            leavingSlots.append(ranks.count)
            ranks.append(place - number)
        }
        addArrivals(upTo: .max)
        buildTree()
    }

    /// The slot of what leaves from an old place.
    func slot(leaving place: Int) -> Int? {
        slot(of: place, in: leaving, leavingSlots)
    }

    /// The slot of what comes to a final place.
    func slot(arriving place: Int) -> Int? {
        slot(of: place, in: arriving, arrivingSlots)
    }

    /// The index of what is in a slot, or is to be put there.
    func index(of slot: Int) -> Int {
        ranks[slot] + takenCount(before: slot)
    }

    /// The index of what stays, by its place in the old list.
    func index(staying place: Int) -> Int {
        let rank = place - leaving.partitioningIndex { $0 >= place }
        return rank + takenCount(before: ranks.partitioningIndex { $0 > rank })
    }

    /// Takes a free slot.
    mutating func take(_ slot: Int) {
        add(1, at: slot)
    }

    /// Frees a taken slot.
    mutating func free(_ slot: Int) {
        add(-1, at: slot)
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

    private func slot(of place: Int, in places: [Int], _ slots: [Int]) -> Int? {
        let number = places.partitioningIndex { $0 >= place }
        return number < places.count && places[number] == place ? slots[number] : nil
    }

    private func takenCount(before slot: Int) -> Int {
        var sum: Int32 = 0
        var node = slot
        while node > 0 {
            sum += tree[node]
            node &= node - 1
        }
        return Int(sum)
    }

    private mutating func add(_ difference: Int32, at slot: Int) {
        var node = slot + 1
        while node < tree.count {
            tree[node] += difference
            node += node & -node
        }
    }

    private mutating func buildTree() {
        tree = Array(repeating: 0, count: ranks.count + 1)
        for slot in leavingSlots { tree[slot + 1] = 1 }
        for node in tree.indices.dropFirst() {
            let parent = node + (node & -node)
            if parent < tree.count { tree[parent] += tree[node] }
        }
    }
}

extension [Int] {
    /// The first index of an ascending list at which `isBehind` holds; the count where there is
    /// none.
    func partitioningIndex(_ isBehind: (Int) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if isBehind(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
