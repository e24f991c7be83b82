import Platform

/// Reads the two forms that nearly all feeds use by the byte: the reader of all forms takes many
/// times as long.
extension FeedDate {
    /// Reads `Tue, 02 Jan 2024 03:04:05 GMT` (RFC 822 with a year of four digits; day of the week
    /// and seconds may be missing) and `2024-01-02T03:04:05Z` (RFC 3339 without a fraction).
    ///
    /// - Returns: `nil` for anything else.
    static func usual(_ text: String) -> FeedDate? {
        var scanner = UsualDate(Array(text.utf8))
        return scanner.mail() ?? scanner.timestamp()
    }
}

/// The bytes of a date, read from the left.
private struct UsualDate {
    private let bytes: [UInt8]
    private var index = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    private static let months = CalendarDay.monthNames.map { Array($0.utf8) }
    private static let weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"].map {
        Array($0.utf8)
    }

    mutating func mail() -> FeedDate? {
        index = 0
        if let first = bytes.first, first.isASCIILetter {
            guard name(UsualDate.weekdays) != nil, takes(","), takes(" ") else { return nil }
        }
        guard let day = number(2) ?? number(1), takes(" "), let month = name(UsualDate.months),
            takes(" "), let year = number(4), takes(" "), let time = clock(), takes(" "),
            let offset = zone(), index == bytes.count
        else { return nil }
        return date(year: year, month: month + 1, day: day, time, offset: offset)
    }

    mutating func timestamp() -> FeedDate? {
        index = 0
        guard let year = number(4), takes("-"), let month = number(2), takes("-"),
            let day = number(2), takes("T"), let time = clock()
        else { return nil }
        if takes("Z"), index == bytes.count {
            return date(year: year, month: month, day: day, time, offset: 0)
        }
        guard let offset = shift(), index == bytes.count else { return nil }
        return date(year: year, month: month, day: day, time, offset: offset)
    }

    private func date(
        year: Int,
        month: Int,
        day: Int,
        _ clock: FeedDate.Clock,
        offset: Int
    ) -> FeedDate? {
        guard let day = CalendarDay(year: year, month: month, day: day) else { return nil }
        var time = clock
        time.offset = offset
        return FeedDate(day, time)
    }

    /// Reads `03:04` or `03:04:05`.
    private mutating func clock() -> FeedDate.Clock? {
        guard let hour = number(2), takes(":"), let minute = number(2) else { return nil }
        guard takes(":") else { return FeedDate.Clock(hour, minute, 0) }
        return number(2).flatMap { FeedDate.Clock(hour, minute, $0) }
    }

    private mutating func zone() -> Int? {
        let rest = bytes[index...]
        if rest.elementsEqual("GMT".utf8) || rest.elementsEqual("UTC".utf8) {
            index = bytes.count
            return 0
        }
        return shift()
    }

    /// Reads `+0100` or `+01:00`, in seconds.
    private mutating func shift() -> Int? {
        let isWest = takes("-")
        guard isWest || takes("+") else { return nil }
        var digits = number(4)
        if digits == nil {
            guard let hours = number(2), takes(":"), let minutes = number(2) else { return nil }
            digits = hours * 100 + minutes
        }
        return digits.map { ($0 / 100 * 60 + $0 % 100) * (isWest ? -60 : 60) }
    }

    private mutating func takes(_ character: Unicode.Scalar) -> Bool {
        guard index < bytes.count, bytes[index] == UInt8(ascii: character) else { return false }
        index += 1
        return true
    }

    /// Reads a number of exactly so many digits, with no other digit behind them.
    private mutating func number(_ count: Int) -> Int? {
        let end = index + count
        guard end <= bytes.count, bytes[index..<end].allSatisfy(\.isASCIIDigit),
            end == bytes.count || !bytes[end].isASCIIDigit
        else { return nil }
        let value = bytes[index..<end].reduce(0) { $0 * 10 + Int($1 & 15) }
        index = end
        return value
    }

    /// Reads the name that comes next, of three letters, and returns its index.
    private mutating func name(_ names: [[UInt8]]) -> Int? {
        guard index + 3 <= bytes.count else { return nil }
        let found = names.firstIndex { $0.elementsEqual(bytes[index..<index + 3]) }
        if found != nil { index += 3 }
        return found
    }
}
