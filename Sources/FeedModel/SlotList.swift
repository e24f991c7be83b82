/// A list on the way from its old order to its new one: everything that is, was or will be in it
/// has a slot, so that an index is the number of slots before that are taken.
///
/// What is to be put in has its slot directly behind its final predecessor, before anything
/// that waits there to be taken out. Taking, leaving and counting cost log n (P. Fenwick, "A New
/// Data Structure for Cumulative Frequency Tables", 1994).
struct SlotList {
    /// The slots of the old elements; all are taken at first.
    private(set) var oldSlots: [Int] = []
    /// The slots of the new elements; those of elements that stay are taken at first.
    private(set) var newSlots: [Int] = []
    private var tree: [Int32] = []

    /// Lays out the slots.
    ///
    /// - Parameters:
    ///   - oldStays: Which elements of the old list stay where they are.
    ///   - newStays: Which elements of the new list are those, as many and in the same order.
    init(oldStays: [Bool], newStays: [Bool]) {
        oldSlots.reserveCapacity(oldStays.count)
        newSlots.reserveCapacity(newStays.count)
        var slot = 0
        for stays in newStays {
            if stays {
                while oldSlots.count < oldStays.count, !oldStays[oldSlots.count] {
                    oldSlots.append(slot)
                    slot += 1
                }
                oldSlots.append(slot)
            }
            newSlots.append(slot)
            slot += 1
        }
        while oldSlots.count < oldStays.count {
            oldSlots.append(slot)
            slot += 1
        }
        buildTree(slotCount: slot)
    }

    /// How many slots before `slot` are taken: the index of what is there, or is to be put there.
    func index(of slot: Int) -> Int {
        var sum: Int32 = 0
        var node = slot
        while node > 0 {
            sum += tree[node]
            node &= node - 1
        }
        return Int(sum)
    }

    /// Takes a free slot.
    mutating func take(_ slot: Int) {
        add(1, at: slot)
    }

    /// Frees a taken slot.
    mutating func free(_ slot: Int) {
        add(-1, at: slot)
    }

    private mutating func add(_ difference: Int32, at slot: Int) {
        var node = slot + 1
        while node < tree.count {
            tree[node] += difference
            node += node & -node
        }
    }

    private mutating func buildTree(slotCount: Int) {
        tree = Array(repeating: 0, count: slotCount + 1)
        for slot in oldSlots { tree[slot + 1] = 1 }
        for node in tree.indices.dropFirst() {
            let parent = node + (node & -node)
            if parent < tree.count { tree[parent] += tree[node] }
        }
    }
}
