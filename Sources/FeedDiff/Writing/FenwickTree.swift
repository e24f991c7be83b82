/// A list of numbers whose changes and sums take time logarithmic in its length.
///
/// P. Fenwick, "A New Data Structure for Cumulative Frequency Tables", 1994.
struct FenwickTree {
    /// The partial sums: from 1 on, `sums[n]` is the sum of the last k of the first n numbers,
    /// where k is the lowest set bit of n.
    private var sums: [Int32]

    /// Makes a tree of numbers.
    init(_ numbers: [Int32]) {
        sums = [0] + numbers
        for node in sums.indices.dropFirst() {
            let parent = node + (node & -node)
            if parent < sums.count { sums[parent] += sums[node] }
        }
    }

    /// Returns the sum of the numbers before an index.
    func sum(before index: Int) -> Int {
        var sum: Int32 = 0
        var node = index
        while node > 0 {
            sum += sums[node]
            node &= node - 1
        }
        return Int(sum)
    }

    /// Adds a difference to the number at an index.
    mutating func add(_ difference: Int32, at index: Int) {
        var node = index + 1
        while node < sums.count {
            sums[node] += difference
            node += node & -node
        }
    }
}
