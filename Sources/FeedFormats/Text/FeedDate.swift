import Platform

/// A time as feeds write it.
package struct FeedDate: Sendable, Hashable, Comparable {
    /// Milliseconds since 1970.
    package let milliseconds: Int

    package init(milliseconds: Int) { self.milliseconds = milliseconds }

    package init(seconds: Int) { milliseconds = seconds * 1000 }

    package static func < (left: FeedDate, right: FeedDate) -> Bool {
        left.milliseconds < right.milliseconds
    }

    /// The time in RFC 3339's form in UTC, with a fraction only if there is one.
    package var text: String {
        let fraction = milliseconds.flooredDivision(by: 1000).remainder
        var text: [UInt8] = []
        text.reserveCapacity(24)
        date.appendRFC3339(to: &text, then: fraction > 0 ? "." : "Z")
        if fraction > 0 { text.append(fraction, digits: 3, then: "Z") }
        return String(decoding: text, as: UTF8.self)
    }

    /// The time in RFC 822's form with a year of four digits, as RSS 2.0 has it.
    package var mailText: String { String(decoding: date.mailText, as: UTF8.self) }

    private var date: CivilDate {
        CivilDate(seconds: milliseconds.flooredDivision(by: 1000).quotient)
    }
}
