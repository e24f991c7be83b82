import FeedFormats
package import FeedModel

/// What items are sorted and compared by: numbers come before times, times before other texts, and
/// what is none of these last, whichever way they are sorted.
package enum SortKey: Sendable, Equatable {
    case number(DecimalNumber)
    /// Milliseconds since 1970.
    case time(Int)
    case text(ExactString)
    case none

    /// The key of a value: `false` is 0 and `true` 1, and texts that are dates are times.
    init(_ value: JSONValue?) {
        switch value {
        case .bool(let isTrue): self = .number(isTrue ? 1 : 0)
        case .number(let spelling): self = DecimalNumber(spelling).map { .number($0) } ?? .none
        case .string(let text): self.init(text: text.string)
        case .object, .array, .null, nil: self = .none
        }
    }

    /// The key of a text.
    package init(text: String) {
        if let date = SortKey.date(text) {
            self = .time(date.milliseconds)
        } else {
            self = .text(ExactString(text))
        }
    }

    /// The time that a text is: RFC 3339, or a day alone.
    static func date(_ text: String) -> FeedDate? {
        let start = text.utf8.prefix(10)
        guard start.count == 10, text.utf8.count <= 40 else { return nil }
        for (index, byte) in start.enumerated() {
            let isDash = index == 4 || index == 7
            let isDigit = UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
            guard isDash ? byte == UInt8(ascii: "-") : isDigit else { return nil }
        }
        if let next = text.utf8.dropFirst(10).first, !"Tt ".utf8.contains(next) { return nil }
        return FeedDate(parsing: text)
    }

    /// Where it stands among the kinds.
    private var kind: Int {
        switch self {
        case .number: 0
        case .time: 1
        case .text: 2
        case .none: 3
        }
    }

    /// Which of two comes first; `nil`: neither.
    func precedes(_ other: SortKey, isDescending: Bool) -> Bool? {
        if self == .none || other == .none { return self == other ? nil : other == .none }
        let isLess: Bool
        switch (self, other) {
        case (.number(let left), .number(let right)):
            guard left != right else { return nil }
            isLess = left < right
        case (.time(let left), .time(let right)):
            guard left != right else { return nil }
            isLess = left < right
        case (.text(let left), .text(let right)):
            guard left != right else { return nil }
            isLess = left < right
        default: isLess = kind < other.kind
        }
        return isLess != isDescending
    }

    /// Whether it comes before another one of its own kind.
    func isBefore(_ other: SortKey) -> Bool {
        kind == other.kind && precedes(other, isDescending: false) == true
    }
}
