import HTTPWire

/// Ranges cover the bytes that they ask for and no others, and no two of them touch.
enum RangeChecks {
    static func run(_ value: String) throws(Finding) {
        guard let ranges = ByteRanges(value) else { return }
        for length in [0, 1, 10, 100] {
            var parts: [Range<Int>] = []
            if case .parts(let found) = ranges.outcome(length: length) { parts = found }
            try require(
                Set(parts.joined()) == bytes(askedForBy: value, of: length),
                "\(parts) of \(length) for \(value)"
            )
            let places = parts.sorted { $0.lowerBound < $1.lowerBound }
            for (left, right) in zip(places, places.dropFirst()) {
                try require(left.upperBound < right.lowerBound, "\(parts) for \(value)")
            }
            try require(!parts.contains(where: \.isEmpty), "\(parts) for \(value)")
        }
    }

    /// Byte by byte, of a value that was found good.
    private static func bytes(askedForBy value: String, of length: Int) -> Set<Int> {
        var bytes: Set<Int> = []
        for spec in value.drop(while: { $0 != "=" }).dropFirst().split(separator: ",") {
            let ends = spec.filter { $0 != " " && $0 != "\t" }
                .split(separator: "-", omittingEmptySubsequences: false)
                .map { $0.isEmpty ? nil : Int($0) ?? .max }
            guard ends.count == 2 else { continue }
            switch (ends[0], ends[1]) {
            case (nil, let count?): bytes.formUnion((length - min(count, length))..<length)
            case (let first?, let last) where first < length:
                bytes.formUnion(first...min(last ?? .max, length - 1))
            default: break
            }
        }
        return bytes
    }
}
