extension RandomAccessCollection {
    /// Returns the first index whose element fulfils a condition that all elements after it fulfil
    /// as well, by binary search; `endIndex`: there is none.
    func partitioningIndex(where fulfils: (Element) -> Bool) -> Index {
        var (low, count) = (startIndex, self.count)
        while count > 0 {
            let middle = index(low, offsetBy: count / 2)
            if fulfils(self[middle]) {
                count /= 2
            } else {
                low = index(after: middle)
                count -= count / 2 + 1
            }
        }
        return low
    }
}
