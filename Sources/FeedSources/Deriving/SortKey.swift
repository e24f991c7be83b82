import FeedFormats
package import FeedModel

/// The key that items are sorted and compared by.
///
/// Numbers come before times, and times before other texts. Values that are none of these come
/// last, also in descending order.
package enum SortKey: Sendable, Comparable {
    // The order of the cases is that of the kinds.
    case number(DecimalNumber)
    /// Milliseconds since 1970, and the digits of what is less than one, without zeros at the end.
    case time(Int, rest: String)
    case text(ExactString)
    case none

    /// Makes the key of a value: `false` is 0 and `true` 1, and texts that are dates are times.
    init(_ value: JSONValue?) {
        switch value {
        case .bool(let isTrue): self = .number(isTrue ? 1 : 0)
        case .number(let spelling): self = DecimalNumber(spelling).map { .number($0) } ?? .none
        case .string(let text): self.init(text: text.string)
        case .object, .array, .null, nil: self = .none
        }
    }

    /// Makes the key of a text.
    package init(text: String) {
        if let date = SortKey.date(text) {
            self = .time(date.milliseconds, rest: SortKey.rest(text))
        } else {
            self = .text(ExactString(text))
        }
    }

    /// Returns the time that a text names: RFC 3339, or a day alone; `nil`: the text is no time.
    static func date(_ text: String) -> FeedDate? {
        guard isLikeADay(text), text.utf8.count <= 40 else { return nil }
        if let next = text.utf8.dropFirst(10).first, !"Tt ".utf8.contains(next) { return nil }
        return FeedDate(parsing: text)
    }

    /// Returns the digits of a time's fraction behind the third, without zeros at the end; the
    /// fraction is behind a dot or a comma (ISO 8601).
    private static func rest(_ time: String) -> String {
        var digits = time.utf8.drop { !".,".utf8.contains($0) }.dropFirst()
            .prefix(while: \.isASCIIDigit).dropFirst(3)
        while digits.last == UInt8(ascii: "0") { digits.removeLast() }
        return String(decoding: digits, as: UTF8.self)
    }

    /// Returns whether a text begins like a day, such as `2026-02-30`.
    package static func isLikeADay(_ text: String) -> Bool {
        let start = text.utf8.prefix(10)
        return start.count == 10
            && start.enumerated().allSatisfy { index, byte in
                index == 4 || index == 7 ? byte == UInt8(ascii: "-") : byte.isASCIIDigit
            }
    }

    /// Returns whether the key comes before another one; `nil`: neither comes first.
    func precedes(_ other: SortKey, isDescending: Bool) -> Bool? {
        if self == other { return nil }
        if self == .none || other == .none { return other == .none }
        return (self < other) != isDescending
    }

    /// Returns whether the key comes before another one of its own kind.
    func isBefore(_ other: SortKey) -> Bool {
        switch (self, other) {
        case (.number, .number), (.time, .time), (.text, .text): self < other
        default: false
        }
    }
}
