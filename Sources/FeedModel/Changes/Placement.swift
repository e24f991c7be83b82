/// An element to insert into a list, with its position in the final list.
struct Placement<Element> {
    var index: Int
    var element: Element
}

extension Array {
    /// Returns the array with every arrival inserted at its final index.
    ///
    /// - Throws: ``ChangesError`` if two have the same index, or one is past the end.
    func merging(_ arrivals: [Placement<Element>]) throws(ChangesError) -> [Element] {
        guard !arrivals.isEmpty else { return self }
        var result: [Element] = []
        result.reserveCapacity(count + arrivals.count)
        var next = 0
        for arrival in arrivals.sorted(by: { $0.index < $1.index }) {
            let gap = arrival.index.subtractingReportingOverflow(result.count)
            guard 0...count - next ~= gap.partialValue, !gap.overflow else {
                throw ChangesError(reason: "Nothing can be put in at \(arrival.index).")
            }
            result += self[next..<next + gap.partialValue]
            next += gap.partialValue
            result.append(arrival.element)
        }
        result += self[next...]
        return result
    }
}
