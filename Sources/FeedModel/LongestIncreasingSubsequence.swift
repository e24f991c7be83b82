/// One of the longest subsequences of a list whose values increase.
///
/// Found in n log n steps (Fredman, "On computing the length of longest increasing
/// subsequences", 1975).
struct LongestIncreasingSubsequence {
    /// Whether the value at each place of the list belongs to it.
    let membership: [Bool]

    /// Finds it.
    ///
    /// - Parameter values: Different from each other; negative ones are left out.
    init(of values: [Int32]) {
        // For each length, the least value that ends an increasing run of it, and its place.
        var endValues: [Int32] = []
        var endPlaces: [Int32] = []
        var predecessors = [Int32](repeating: -1, count: values.count)
        for place in values.indices where values[place] >= 0 {
            let length = Self.firstIndex(in: endValues, notBelow: values[place])
            if length > 0 { predecessors[place] = endPlaces[length - 1] }
            if length == endValues.count {
                endValues.append(values[place])
                endPlaces.append(Int32(place))
            } else {
                endValues[length] = values[place]
                endPlaces[length] = Int32(place)
            }
        }
        var membership = [Bool](repeating: false, count: values.count)
        var place = endPlaces.last ?? -1
        while place >= 0 {
            membership[Int(place)] = true
            place = predecessors[Int(place)]
        }
        self.membership = membership
    }

    /// The first place whose value is not below `value`, in a list that increases; its count
    /// where there is none, which costs one look because that is the usual case.
    private static func firstIndex(in list: [Int32], notBelow value: Int32) -> Int {
        guard let last = list.last, last >= value else { return list.count }
        var low = 0
        var high = list.count - 1
        while low < high {
            let middle = (low + high) / 2
            if list[middle] < value { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
