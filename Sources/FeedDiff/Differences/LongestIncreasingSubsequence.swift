extension [Int32] {
    /// Whether each of these numbers, which are all different, belongs to one longest ascending
    /// subsequence.
    ///
    /// It takes n log n steps: for each length, the smallest number that can end a subsequence of
    /// that length is stored (M. Fredman, "On Computing the Length of Longest Increasing
    /// Subsequences", 1975).
    var longestIncreasingSubsequence: [Bool] {
        var isAscending = true
        for index in indices.dropFirst() where self[index - 1] > self[index] {
            isAscending = false
            break
        }
        if isAscending { return [Bool](repeating: true, count: count) }
        // The last number of a subsequence of each length, and its index.
        var (ends, endIndices): ([Int32], [Int32]) = ([], [])
        // The index of the previous number in the longest subsequence that each number ends.
        var predecessors: [Int32] = []
        predecessors.reserveCapacity(count)
        for (index, number) in enumerated() {
            var length = ends.count
            if let last = ends.last, number < last {
                length = ends.partitioningIndex { $0 > number }
            }
            predecessors.append(length == 0 ? -1 : endIndices[length - 1])
            if length == ends.count {
                ends.append(number)
                endIndices.append(Int32(index))
            } else {
                ends[length] = number
                endIndices[length] = Int32(index)
            }
        }
        var isIn = [Bool](repeating: false, count: count)
        var index = endIndices.last ?? -1
        while index >= 0 {
            isIn[Int(index)] = true
            index = predecessors[Int(index)]
        }
        return isIn
    }
}
