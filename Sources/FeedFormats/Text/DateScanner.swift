import FeedModel

extension FeedDate {
    /// A time of day, with its zone.
    struct Clock {
        var hour = 0
        var minute = 0
        var second = 0
        var millisecond = 0
        /// The seconds east of Greenwich.
        var offset = 0
        /// The zone by its name, perhaps with a summer time; it counts instead of ``offset``.
        var zone: NamedZone?

        /// Makes a time of day in UTC; a leap second becomes the second before it.
        ///
        /// - Returns: `nil` for a time that no day has.
        init?(_ hour: Int, _ minute: Int, _ second: Int, millisecond: Int = 0) {
            guard 0...24 ~= hour, 0...59 ~= minute, 0...60 ~= second,
                hour < 24 || minute == 0 && second == 0 && millisecond == 0
            else { return nil }
            (self.hour, self.minute, self.second) = (hour, minute, min(second, 59))
            self.millisecond = millisecond
        }

        /// Whether ``offset`` was given as a number.
        private var hasNumber = false

        /// Sets the zone or the half of the day if a word names one.
        mutating func take(_ word: Substring) {
            take(half: word)
            take(zone: word)
        }

        /// Sets the zone if a word names one.
        ///
        /// A number counts over names, as in `+09:00[Asia/Tokyo]` and `+0800 (CST)`, where the name
        /// may be that of another zone, too.
        private mutating func take(zone word: Substring) {
            let parts = word.split(separator: "[", maxSplits: 1, omittingEmptySubsequences: false)
            let first = parts.first ?? ""
            let offset = DateScanner.offset(first)
            let isNumber = offset != nil && first.contains(where: \.isNumber)
            guard isNumber || !hasNumber else { return }
            hasNumber = isNumber
            if let offset {
                (self.offset, zone) = (offset, nil)
            } else {
                zone = NamedZone((parts.count > 1 ? parts[1] : word).filter { $0 != "]" }) ?? zone
            }
        }

        /// Sets the half of the day if a word is `AM` or `PM`, in upper or lower case.
        private mutating func take(half word: Substring) {
            let upper = word.uppercased()
            if upper == "PM", hour < 12 { hour += 12 }
            if upper == "AM", hour == 12 { hour = 0 }
        }
    }
}

/// Reads the parts of a date from left to right.
struct DateScanner {
    private var rest: Substring

    init(_ text: String) { rest = text[...] }

    var isAtEnd: Bool { rest.isEmpty }

    /// A number with the count of its digits.
    typealias Digits = (count: Int, value: Int)

    /// Reads a number of 1 to 14 digits.
    mutating func digits() -> Digits? {
        let digits = rest.prefix { $0.isASCII && $0.isNumber }
        guard 1...14 ~= digits.count, let value = Int(digits) else { return nil }
        rest = rest.dropFirst(digits.count)
        return (digits.count, value)
    }

    /// Reads the letters that come next; `nil` if there are none.
    mutating func word() -> Substring? {
        let word = rest.prefix(while: \.isLetter)
        rest = rest.dropFirst(word.count)
        return word.isEmpty ? nil : word
    }

    mutating func skipSpace() { rest = rest.drop(while: \.isWhitespace) }

    /// Returns the milliseconds of a decimal fraction (`.25`), if the rest of the text is one.
    func lastFraction() -> Int? {
        let digits = rest.dropFirst()
        guard rest.first == ".", !digits.isEmpty,
            digits.allSatisfy({ $0.isASCII && $0.isNumber })
        else { return nil }
        return Int((digits + "00").prefix(3))
    }

    /// Reads the next character if it is one of `marks`.
    mutating func mark(_ marks: [Character]) -> Character? {
        guard let first = rest.first, marks.contains(first) else { return nil }
        rest = rest.dropFirst()
        return first
    }

    /// Reads the rest of the text as a time of day with its zone.
    ///
    /// - Returns: Midnight if no text is left; `nil` if the rest is no time.
    mutating func time() -> FeedDate.Clock? {
        rest = rest.drop { $0 == "T" || $0 == "t" || $0.isWhitespace || $0 == "," }
        // In Korean, the half of the day stands before the time.
        let half = rest.hasPrefix("오전") ? " AM" : rest.hasPrefix("오후") ? " PM" : ""
        if !half.isEmpty { rest = (rest.dropFirst(2).drop(while: \.isWhitespace) + half)[...] }
        let word = rest.prefix { $0.isNumber || [":", ".", ","].contains($0) }
        rest = rest.dropFirst(word.count)
        guard !word.isEmpty else { return rest.isEmpty ? FeedDate.Clock(0, 0, 0) : nil }
        guard var clock = DateScanner.clock(word) else { return nil }
        for word in rest.split(whereSeparator: \.isWhitespace) { clock.take(word) }
        return clock
    }

    /// Reads a time of day: `12:30`, `12:30:15.25`, `12.30`, `12.30.15`, `123015`, `1230` or `12`;
    /// `nil`: it is another text.
    static func clock(_ word: Substring) -> FeedDate.Clock? {
        // A zone may follow without a space, as in 12:30:15Z and 12:30+0100.
        var body = word.prefix { $0.isNumber || $0 == ":" || $0 == "." || $0 == "," }
        let zone = word.dropFirst(body.count)
        // Some feeds have points between hours, minutes and seconds.
        let points = body.split(separator: ".", omittingEmptySubsequences: false)
        if points.count == 3 || points.count == 2 && points[0].count <= 2 && points[1].count == 2,
            !body.contains(":")
        {
            body = body.replacing(".", with: ":")[...]
        }
        let whole = body.prefix { $0 != "." && $0 != "," }
        let fraction = body.dropFirst(whole.count + 1).prefix(3)
        let milliseconds = Int(fraction + String(repeating: "0", count: 3 - fraction.count)) ?? 0
        var parts = whole.split(separator: ":", omittingEmptySubsequences: false).map {
            Int($0) ?? -1
        }
        if parts.count == 1, let value = parts.first, value >= 0 {
            switch whole.count {
            case 1, 2: parts = [value, 0]
            case 4: parts = [value / 100, value % 100]
            case 6: parts = [value / 10_000, value / 100 % 100, value % 100]
            default: return nil
            }
        }
        guard 2...3 ~= parts.count, parts.allSatisfy({ $0 >= 0 }) else { return nil }
        // A fraction of minutes or hours is in no feed; it is left out.
        var clock =
            parts.count == 3
            ? FeedDate.Clock(parts[0], parts[1], parts[2], millisecond: milliseconds)
            : FeedDate.Clock(parts[0], parts[1], 0)
        clock?.take(zone)
        return clock
    }

    /// Returns the offset of a zone in seconds east of Greenwich; `nil`: the word is no zone.
    ///
    /// Zones are abbreviations such as `EST`, and numbers such as `+0100`, `-05:00` and `GMT+1`;
    /// they may be in parentheses.
    static func offset(_ word: Substring) -> Int? {
        var word = word.drop { $0 == "(" }
        while word.last == ")" { word = word.dropLast() }
        var upper = word.uppercased()[...]
        for prefix in ["GMT", "UTC"] where upper.hasPrefix(prefix) && upper.count > 3 {
            upper = upper.dropFirst(3)
        }
        if let value = zones[String(upper)] { return value * 60 }
        guard let sign = upper.first, "+-\u{2212}".contains(sign) else { return nil }
        let digits = upper.dropFirst().filter { $0 != ":" }
        guard 1...4 ~= digits.count, let value = Int(digits: digits.utf8) else { return nil }
        let minutes = digits.count <= 2 ? value * 60 : value / 100 * 60 + value % 100
        return (sign == "+" ? minutes : -minutes) * 60
    }

    /// The offsets of zones by their abbreviations, in minutes east of Greenwich.
    private static let zones: [String: Int] = [
        "Z": 0, "UT": 0, "UTC": 0, "GMT": 0, "WET": 0, "BST": 60, "WEST": 60, "CET": 60, "MEZ": 60,
        "CEST": 120, "MESZ": 120, "EET": 120, "SAST": 120, "EEST": 180, "MSK": 180, "IST": 330,
        "SGT": 480, "HKT": 480, "AWST": 480, "JST": 540, "KST": 540, "ACST": 570, "AEST": 600,
        "AEDT": 660, "NZST": 720, "NZDT": 780, "EST": -300, "EDT": -240, "ET": -300, "CST": -360,
        "CDT": -300, "CT": -360, "MST": -420, "MDT": -360, "MT": -420, "PST": -480, "PDT": -420,
        "PT": -480, "AKST": -540, "AKDT": -480, "HST": -600, "AST": -240, "ADT": -180, "BRT": -180,
        "ART": -180, "NST": -210, "NDT": -150,
    ]
}
