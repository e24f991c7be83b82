import TestSupport

extension [UInt8] {
    /// Some of the ways in which these bytes may arrive, the same whenever they are asked for:
    /// byte by byte, and in pieces of random lengths.
    var cuttings: [[[UInt8]]] {
        var random = SeededGenerator(seed: seed)
        var ways = [map { [$0] }]
        for longest in [3, 30, 300] {
            var way: [[UInt8]] = []
            var rest = self[...]
            while !rest.isEmpty {
                let piece = rest.prefix(Int.random(in: 1...longest, using: &random))
                way.append(Array(piece))
                rest = rest.dropFirst(piece.count)
            }
            ways.append(way)
        }
        return ways
    }

    /// A number made of the bytes (FNV-1a).
    var seed: UInt64 {
        reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    }

    /// What stands before the first NUL, and what stands behind it; nil without one.
    var halves: ([UInt8], [UInt8])? {
        firstIndex(of: 0).map { (Array(self[..<$0]), Array(self[($0 + 1)...])) }
    }

    /// The bytes as text, for findings.
    var text: String { String(decoding: self, as: UTF8.self).debugDescription }
}
