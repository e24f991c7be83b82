import FeedModel

/// Times as people write them.
enum DurationText {
    private static let units: [(name: String, milliseconds: Int)] = [
        ("ms", 1), ("s", 1000), ("m", 60_000), ("h", 3_600_000),
    ]

    /// Reads a time with its unit, such as `10s`; nil for a text that is no time, and for more than
    /// three years.
    static func value(_ text: String) -> Duration? {
        guard let unit = units.first(where: { text.hasSuffix($0.name) }) else { return nil }
        let digits = text.dropLast(unit.name.count)
        guard digits.utf8.count <= 9, let number = Int(digits: digits.utf8),
            number <= 100_000_000_000 / unit.milliseconds
        else { return nil }
        return .milliseconds(number * unit.milliseconds)
    }

    static func text(_ duration: Duration) -> String {
        let milliseconds = Int(duration / .milliseconds(1))
        for (name, size) in units.reversed()
        where milliseconds >= size && milliseconds % size == 0 {
            return "\(milliseconds / size)\(name)"
        }
        return "0s"
    }
}
