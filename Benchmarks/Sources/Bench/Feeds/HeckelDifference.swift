/// The changes between two lists by the algorithm of most libraries for table views.
///
/// Each id is looked up in a table, so that the time grows with the lists. An item counts as moved
/// if it does not stand where removals and insertions alone would have put it (Heckel, "A technique
/// for isolating differences between files", Communications of the ACM 21 (4), 1978).
struct HeckelDifference {
    private(set) var removals: [Int] = []
    private(set) var insertions: [Int] = []
    private(set) var moves: [(from: Int, to: Int)] = []
    private(set) var updates: [Int] = []

    var total: Int { removals.count + insertions.count + moves.count + updates.count }

    init(from old: [EditedList.Element], to new: [EditedList.Element]) {
        var places = [String: Int](minimumCapacity: old.count)
        for (index, element) in old.enumerated() { places[element.id] = index }
        let sources = new.map { places[$0.id] }
        var isKept = [Bool](repeating: false, count: old.count)
        for case let source? in sources { isKept[source] = true }
        var removedBefore = [Int](repeating: 0, count: old.count)
        for index in old.indices {
            removedBefore[index] = removals.count
            if !isKept[index] { removals.append(index) }
        }
        for (index, source) in sources.enumerated() {
            guard let source else {
                insertions.append(index)
                continue
            }
            if old[source].likes != new[index].likes { updates.append(source) }
            if source - removedBefore[source] + insertions.count != index {
                moves.append((source, index))
            }
        }
    }
}
