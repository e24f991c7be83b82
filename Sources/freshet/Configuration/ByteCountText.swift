import FeedModel

/// Numbers of bytes as people write them.
enum ByteCountText {
    private static let binaryUnits = [
        ("TiB", 1 << 40), ("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10),
    ]
    private static let units: [(name: String, byteCount: Int)] =
        binaryUnits.map { ($0.0.lowercased(), $0.1) } + [
            ("gb", 1_000_000_000), ("mb", 1_000_000), ("kb", 1000), ("b", 1),
        ]

    /// Returns the number of bytes of a size, such as `32MiB`, or of a number without a unit; nil
    /// for a text that is no size, and for more than an integer holds.
    static func value(_ text: String) -> Int? {
        let text = text.lowercased()
        let unit = units.first { text.hasSuffix($0.name) }
        let digits = text.dropLast(unit?.name.count ?? 0)
        guard let number = Int(digits: digits.utf8) else { return nil }
        let (value, hasOverflown) = number.multipliedReportingOverflow(by: unit?.byteCount ?? 1)
        return hasOverflown ? nil : value
    }

    /// Returns a size for people, in a unit in which it has few digits: `3.2 MiB`.
    static func rounded(_ byteCount: Int) -> String {
        for (name, size) in binaryUnits where byteCount >= size {
            let tenths = (byteCount * 10 + size / 2) / size
            return "\(tenths / 10).\(tenths % 10) \(name)"
        }
        return "\(byteCount) bytes"
    }

    static func text(_ byteCount: Int) -> String {
        for (name, size) in binaryUnits where byteCount >= size && byteCount % size == 0 {
            return "\(byteCount / size)\(name)"
        }
        return String(byteCount)
    }
}
