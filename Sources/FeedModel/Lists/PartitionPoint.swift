extension RandomAccessCollection where Index == Int {
    /// Returns the first position whose element is not `isBefore`, by binary search; all elements
    /// before it are, and none behind it is.
    @inlinable package func partitionPoint(_ isBefore: (Element) -> Bool) -> Int {
        var (low, high) = (startIndex, endIndex)
        while low < high {
            let middle = (low + high) / 2
            if isBefore(self[middle]) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
