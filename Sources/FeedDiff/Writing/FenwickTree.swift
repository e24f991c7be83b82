/// Numbers that change, and their sums, each in the logarithm of how many they are.
///
/// P. Fenwick, "A New Data Structure for Cumulative Frequency Tables", 1994.
struct FenwickTree {
    /// At each position from 1 on, the sum of as many numbers as its lowest bit says, up to that
    /// position.
    private var sums: [Int32]

    /// Takes the numbers.
    init(_ numbers: [Int32]) {
        sums = [0] + numbers
        for node in sums.indices.dropFirst() {
            let parent = node + (node & -node)
            if parent < sums.count { sums[parent] += sums[node] }
        }
    }

    /// The sum of the numbers before an index.
    func sum(before index: Int) -> Int {
        var sum: Int32 = 0
        var node = index
        while node > 0 {
            sum += sums[node]
            node &= node - 1
        }
        return Int(sum)
    }

    /// Adds to the number at an index.
    mutating func add(_ difference: Int32, at index: Int) {
        var node = index + 1
        while node < sums.count {
            sums[node] += difference
            node += node & -node
        }
    }
}
