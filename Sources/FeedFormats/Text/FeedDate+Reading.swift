extension FeedDate {
    /// Reads a date of any kind that feeds have been seen to use.
    ///
    /// These are RFC 3339 and what else of ISO 8601 has a year; RFC 822 with two or four digits of a
    /// year, with or without a day of the week, which may be wrong, and with names of zones;
    /// `asctime`; numbers parted by `/` or `.`; seconds since 1970. A time without a zone is UTC.
    ///
    /// - Returns: `nil` for anything else, and for days that there are not.
    package init?(parsing text: String) {
        guard text.utf8.count <= 100 else { return nil }
        let text = text.trimmed
        guard let date = FeedDate.iso(text) ?? FeedDate.mail(text) else { return nil }
        self = date
    }

    private init?(_ day: CalendarDay, _ time: Clock) {
        let seconds = time.hour * 3600 + time.minute * 60 + time.second - time.offset
        milliseconds = (day.daysSince1970 * 86_400 + seconds) * 1000 + time.millisecond
    }

    fileprivate struct Clock {
        var hour = 0
        var minute = 0
        var second = 0
        var millisecond = 0
        /// East of Greenwich, in seconds.
        var offset = 0

        /// - Returns: `nil` for a time that no day has.
        init?(_ hour: Int, _ minute: Int, _ second: Int, _ millisecond: Int = 0) {
            guard 0...24 ~= hour, 0...59 ~= minute, 0...60 ~= second, hour < 24 || minute == 0
            else {
                return nil
            }
            (self.hour, self.minute, self.second) = (hour, minute, min(second, 59))
            self.millisecond = millisecond
        }
    }
}

/// ISO 8601 and other numbers.
extension FeedDate {
    private static func iso(_ text: String) -> FeedDate? {
        var scanner = DateWords(text)
        guard let first = scanner.digits() else { return nil }
        if scanner.isAtEnd, first.count >= 9 || first.count == 10 {
            // Seconds, or milliseconds, since 1970.
            guard first.count <= 13, let value = Int(first.text) else { return nil }
            return FeedDate(milliseconds: first.count > 11 ? value : value * 1000)
        }
        if first.count == 8 {
            let value = first.value
            guard
                let day = CalendarDay(
                    year: value / 10_000,
                    month: value / 100 % 100,
                    day: value % 100
                )
            else { return nil }
            return scanner.time().flatMap { FeedDate(day, $0) }
        }
        guard let mark = scanner.mark(["-", "/", ".", "年"]) else {
            return first.count == 4 && scanner.isAtEnd
                ? CalendarDay(year: first.value, month: 1, day: 1).flatMap { day in
                    Clock(0, 0, 0).flatMap { FeedDate(day, $0) }
                } : nil
        }
        guard let second = scanner.digits() else { return nil }
        let third = scanner.mark([mark, "月"]) == nil ? nil : scanner.digits()
        _ = scanner.mark(["日"])
        let day: CalendarDay?
        if first.count == 4 {
            day = CalendarDay(year: first.value, month: second.value, day: third?.value ?? 1)
        } else if let third, mark == "." || first.value > 12, third.count == 4 {
            day = CalendarDay(year: third.value, month: second.value, day: first.value)
        } else if let third, third.count == 4 {
            day = CalendarDay(year: third.value, month: first.value, day: second.value)
        } else {
            day = nil
        }
        guard let day, let time = scanner.time() else { return nil }
        return FeedDate(day, time)
    }
}

/// RFC 822 and other words.
extension FeedDate {
    private static func mail(_ text: String) -> FeedDate? {
        var words = text.split { $0.isWhitespace || $0 == "," }.flatMap(FeedDate.parts)
        if let first = words.first, weekday(first) { words.removeFirst() }
        var month: Int?
        var numbers: [(count: Int, value: Int)] = []
        var clock: Clock?
        var zone: [Substring] = []
        for word in words {
            if word.contains(":"), clock == nil, let time = DateWords.clock(word) {
                clock = time
            } else if month == nil, let found = monthNumber(word) {
                month = found
            } else if numbers.count < 2, let value = number(word) {
                numbers.append(value)
            } else {
                zone.append(word)
            }
        }
        guard let month, numbers.count == 2 else { return nil }
        let (one, two) = (numbers[0], numbers[1])
        let (dayNumber, yearNumber) = one.count == 4 ? (two, one) : (one, two)
        var year = yearNumber.value
        // Two digits are of the years from 1970 to 2069, three of those since 1900 (RFC 5322 §4.3).
        if yearNumber.count == 2 { year += year < 70 ? 2000 : 1900 }
        if yearNumber.count == 3 { year += 1900 }
        guard let day = CalendarDay(year: year, month: month, day: dayNumber.value) else {
            return nil
        }
        guard var time = clock ?? Clock(0, 0, 0) else { return nil }
        for word in zone {
            let upper = word.uppercased()
            if upper == "PM", time.hour < 12 { time.hour += 12 }
            if upper == "AM", time.hour == 12 { time.hour = 0 }
            if let offset = DateWords.offset(word) { time.offset = offset }
        }
        return FeedDate(day, time)
    }

    /// `12-Jan-2024` and `1st` in their parts.
    private static func parts(_ word: Substring) -> [Substring] {
        let isDashed = word.first?.isNumber == true && word.contains { $0.isLetter && $0 != "T" }
        if isDashed, word.contains("-"), !word.contains(":") { return word.split(separator: "-") }
        return [word]
    }

    private static func number(_ word: Substring) -> (count: Int, value: Int)? {
        let digits = word.prefix { $0.isASCII && $0.isNumber }
        let rest = word.dropFirst(digits.count).lowercased()
        guard 1...4 ~= digits.count, ["", "st", "nd", "rd", "th", "."].contains(rest),
            let value = Int(digits)
        else { return nil }
        return (digits.count, value)
    }

    private static func weekday(_ word: Substring) -> Bool {
        guard word.first?.isLetter == true else { return false }
        let start = word.lowercased().prefix(3)
        return ["mon", "tue", "wed", "thu", "fri", "sat", "sun"].contains(String(start))
            || monthNumber(word) == nil
    }

    private static func monthNumber(_ word: Substring) -> Int? {
        let word = word.lowercased().filter { $0 != "." }
        return months.firstIndex { names in
            names.contains { $0 == word || (word.count >= 3 && $0.count > 3 && $0.hasPrefix(word)) }
        }.map { $0 + 1 }
    }

    /// English, German, French, Spanish, Italian, Portuguese, Dutch and Russian names.
    private static let months: [[String]] = [
        "jan january januar janvier enero gennaio gen janeiro januari jänner ene янв января",
        "feb february februar février fév febrero febbraio fevereiro fev februari фев февраля",
        "mar march märz mrz mär mars marzo março maart mrt мар марта",
        "apr april avril avr abril abr aprile апр апреля",
        "may mai mayo maggio mag maio mei мая май",
        "jun june juni juin junio giugno giu junho июн июня",
        "jul july juli juillet julio luglio lug julho июл июля",
        "aug august août agosto ago augustus авг августа",
        "sep sept september septembre septiembre settembre set setembro сен сентября",
        "oct october oktober okt octobre octubre ottobre ott outubro out окт октября",
        "nov november novembre noviembre novembro ноя ноября",
        "dec december dezember dez décembre déc diciembre dic dicembre dezembro дек декабря",
    ].map { $0.split(separator: " ").map(String.init) }
}

/// Numbers and marks of a date, one after the other.
private struct DateWords {
    private var rest: Substring

    init(_ text: String) { rest = text[...] }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func digits() -> (text: Substring, count: Int, value: Int)? {
        let digits = rest.prefix { $0.isASCII && $0.isNumber }
        guard 1...13 ~= digits.count, let value = Int(digits) else { return nil }
        rest = rest.dropFirst(digits.count)
        return (digits, digits.count, value)
    }

    mutating func mark(_ marks: [Character]) -> Character? {
        guard let first = rest.first, marks.contains(first) else { return nil }
        rest = rest.dropFirst()
        return first
    }

    /// A time of day with its zone; midnight where there is none.
    mutating func time() -> FeedDate.Clock? {
        rest = rest.drop { $0 == "T" || $0 == "t" || $0.isWhitespace || $0 == "," }
        let word = rest.prefix { $0.isNumber || [":", ".", ","].contains($0) }
        rest = rest.dropFirst(word.count)
        guard !word.isEmpty else { return rest.isEmpty ? FeedDate.Clock(0, 0, 0) : nil }
        guard var clock = DateWords.clock(word) else { return nil }
        for word in rest.split(whereSeparator: \.isWhitespace) {
            let upper = word.uppercased()
            if upper == "PM", clock.hour < 12 { clock.hour += 12 }
            if upper == "AM", clock.hour == 12 { clock.hour = 0 }
            if let offset = DateWords.offset(word) { clock.offset = offset }
        }
        return clock
    }

    /// `12:30`, `12:30:15.25`, `123015`, `1230`.
    static func clock(_ word: Substring) -> FeedDate.Clock? {
        // A zone may follow without a space, as in 12:30:15Z and 12:30+0100.
        let body = word.prefix { $0.isNumber || $0 == ":" || $0 == "." || $0 == "," }
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
        var clock = FeedDate.Clock(parts[0], parts[1], parts.count > 2 ? parts[2] : 0, milliseconds)
        if let offset = offset(word.dropFirst(body.count)) { clock?.offset = offset }
        return clock
    }

    /// A zone, in seconds east of Greenwich.
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
        guard 1...4 ~= digits.count, let value = Int(digits) else { return nil }
        let minutes = digits.count <= 2 ? value * 60 : value / 100 * 60 + value % 100
        return (sign == "+" ? minutes : -minutes) * 60
    }

    /// In minutes.
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
