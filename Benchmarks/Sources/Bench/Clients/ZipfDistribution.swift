/// Random ranks: the first is drawn most often, the second half as often, the third a third.
struct ZipfDistribution {
    /// The sums of the weights of each rank and all before it.
    private let sums: [Double]

    init(_ count: Int) {
        var sum = 0.0
        sums = (1...count).map { rank in
            sum += 1 / Double(rank)
            return sum
        }
    }

    /// Returns a random rank from 0.
    func random(using random: inout SplitMix64) -> Int {
        let drawn = Double.random(in: 0..<(sums.last ?? 1), using: &random)
        var (low, high) = (0, sums.count - 1)
        while low < high {
            let middle = (low + high) / 2
            if sums[middle] <= drawn { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
