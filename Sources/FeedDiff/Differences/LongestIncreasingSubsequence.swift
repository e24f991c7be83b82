extension [Int32] {
    /// Which of these numbers, no two of which are the same, are in one longest subsequence that
    /// ascends.
    ///
    /// Takes n log n steps: for each length the smallest number that a subsequence of it can end
    /// with is kept (M. Fredman, "On Computing the Length of Longest Increasing Subsequences",
    /// 1975).
    var longestIncreasingSubsequence: [Bool] {
        var isAscending = true
        for index in indices.dropFirst() where self[index - 1] > self[index] {
            isAscending = false
            break
        }
        if isAscending { return [Bool](repeating: true, count: count) }
        // For each length the number that ends it, and its index.
        var (ends, endIndices): ([Int32], [Int32]) = ([], [])
        // For each number the index of the one before it in the longest that it ends.
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
