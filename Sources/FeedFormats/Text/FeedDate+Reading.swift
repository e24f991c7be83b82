import FeedModel
import Platform

extension FeedDate {
    /// Reads a date of any kind that feeds have been seen to use.
    ///
    /// These are RFC 3339 and the other forms of ISO 8601 with a year; RFC 822 with two or four
    /// digits of a year, with or without a day of the week, which may be wrong, and with names of
    /// zones; `asctime`; numbers with `/` or `.` between them; seconds since 1970; and the forms of
    /// Korean and Hungarian sites. A time without a zone is UTC.
    ///
    /// - Parameter isDayFirst: Whether the first of two numbers before a year, with `/` or `-`
    ///   between them, is the day.
    /// - Returns: `nil` for anything else, and for days that do not exist.
    package init?(parsing text: String, isDayFirst: Bool = false) {
        guard text.utf8.count <= 100 else { return nil }
        let text = text.trimmed
        let known = FeedDate.usual(text) ?? FeedDate.any(text, isDayFirst: isDayFirst)
        guard let date = known else { return nil }
        self = date
    }

    init?(_ day: CalendarDay, _ time: Clock) {
        let offset = time.zone?.offset(day, hour: time.hour) ?? time.offset
        let seconds = time.hour * 3600 + time.minute * 60 + time.second - offset
        milliseconds = (day.daysSince1970 * 86_400 + seconds) * 1000 + time.millisecond
        // In UTC, the time may be in a year that no date has.
        let (days, _) = milliseconds.flooredDivision(by: 86_400_000)
        let years = 1...9999
        guard years ~= day.year, years ~= CalendarDay(daysSince1970: days).year else { return nil }
    }
}

/// Dates in ISO 8601 and other numbers.
extension FeedDate {
    /// Reads a date of any kind, without the fast path for the usual formats.
    static func any(_ text: String, isDayFirst: Bool = false) -> FeedDate? {
        if let date = iso(text, isDayFirst: isDayFirst) ?? mail(text) { return date }
        // A day of the week may also precede numbers.
        let rest = text.drop(while: \.isLetter).drop { $0.isWhitespace || ",.".contains($0) }
        return rest.count < text.count && rest.first?.isNumber == true
            ? iso(String(rest), isDayFirst: isDayFirst) : nil
    }

    private static func iso(_ text: String, isDayFirst: Bool) -> FeedDate? {
        var scanner = DateScanner(text)
        guard let first = scanner.digits() else { return nil }
        if let time = FeedDate(numbers: first, &scanner) { return time }
        if first.count == 7 || first.count == 8 {
            let divisor = first.count == 7 ? 1000 : 10_000
            let (year, rest) = first.value.quotientAndRemainder(dividingBy: divisor)
            let day =
                first.count == 7
                ? CalendarDay(year: year, dayOfYear: rest)
                : CalendarDay(year: year, month: rest / 100, day: rest % 100)
            guard let day, let time = scanner.time() else { return nil }
            return FeedDate(day, time)
        }
        guard let mark = scanner.mark(["-", "/", ".", "年", "년"]) else {
            return first.count == 4 && scanner.isAtEnd
                ? CalendarDay(year: first.value, month: 1, day: 1).flatMap { day in
                    Clock(0, 0, 0).flatMap { FeedDate(day, $0) }
                } : nil
        }
        guard let day = isoDay(first, mark, isDayFirst: isDayFirst, &scanner),
            let time = scanner.time()
        else { return nil }
        return FeedDate(day, time)
    }

    /// Reads seconds or milliseconds since 1970, perhaps with a fraction, and date and time in 12
    /// or 14 digits.
    private init?(numbers: DateScanner.Digits, _ scanner: inout DateScanner) {
        guard numbers.count >= 9 else { return nil }
        let value = numbers.value
        if numbers.count <= 10, let fraction = scanner.lastFraction() {
            self.init(milliseconds: value * 1000 + fraction)
            return
        }
        guard scanner.isAtEnd else { return nil }
        let isClock =
            numbers.count == 14 || numbers.count == 12 && 19...20 ~= value / 10_000_000_000
        if isClock {
            let minutes = numbers.count == 14 ? value / 100 : value
            let days = minutes / 10_000
            if let day = CalendarDay(year: days / 10_000, month: days / 100 % 100, day: days % 100),
                let time = Clock(
                    minutes / 100 % 100,
                    minutes % 100,
                    numbers.count == 14 ? value % 100 : 0
                )
            {
                self.init(day, time)
                return
            }
        }
        guard numbers.count <= 13 else { return nil }
        self.init(milliseconds: numbers.count > 11 ? value : value * 1000)
    }

    /// Returns the day of a date that begins with `first` and `mark`; the scanner is behind them.
    private static func isoDay(
        _ first: DateScanner.Digits,
        _ mark: Character,
        isDayFirst: Bool,
        _ scanner: inout DateScanner
    ) -> CalendarDay? {
        if first.count == 4, mark == "-" {
            if scanner.mark(["W"]) != nil { return week(of: first.value, &scanner) }
            if let month = scanner.word().flatMap(monthNumber), scanner.mark(["-"]) != nil,
                let day = scanner.digits()
            {
                return CalendarDay(year: first.value, month: month, day: day.value)
            }
        }
        scanner.skipSpace()
        guard let second = scanner.digits() else { return nil }
        if first.count == 4, second.count == 3 {
            return CalendarDay(year: first.value, dayOfYear: second.value)
        }
        let hasThird = scanner.mark([mark, "月", "월"]) != nil
        if hasThird { scanner.skipSpace() }
        let third = hasThird ? scanner.digits() : nil
        _ = scanner.mark(["日", "일"])
        if first.count == 4 {
            return CalendarDay(year: first.value, month: second.value, day: third?.value ?? 1)
        }
        guard let third else { return nil }
        if third.count == 4 {
            return mark == "." || first.value > 12 || isDayFirst && second.value <= 12
                ? CalendarDay(year: third.value, month: second.value, day: first.value)
                : CalendarDay(year: third.value, month: first.value, day: second.value)
        }
        guard mark == "-", (first.count, second.count, third.count) == (2, 2, 2) else { return nil }
        return CalendarDay(year: year(ofTwo: first.value), month: second.value, day: third.value)
    }

    /// Reads a week and a day of it, such as `01-1` (ISO 8601 §4.1.4); the first week has the
    /// year's first Thursday.
    private static func week(of year: Int, _ scanner: inout DateScanner) -> CalendarDay? {
        guard let week = scanner.digits(), week.count == 2, 1...53 ~= week.value,
            let fourth = CalendarDay(year: year, month: 1, day: 4)
        else { return nil }
        var weekday = 1
        if scanner.mark(["-"]) != nil {
            guard let digits = scanner.digits(), 1...7 ~= digits.value else { return nil }
            weekday = digits.value
        }
        // Day 0, 1970-01-01, was a Thursday.
        let monday = fourth.daysSince1970 - (fourth.daysSince1970 + 3).flooredDivision(by: 7).1
        let start = monday + (week.value - 1) * 7
        guard CalendarDay(daysSince1970: start + 3).year == year else { return nil }
        return CalendarDay(daysSince1970: start + weekday - 1)
    }

    /// Returns the year of two digits: from 1970 to 2069.
    private static func year(ofTwo digits: Int) -> Int { digits + (digits < 70 ? 2000 : 1900) }
}

/// Dates in RFC 822 and others with words.
extension FeedDate {
    private static func mail(_ text: String) -> FeedDate? {
        var words = text.split { $0.isWhitespace || $0 == "," }.flatMap(FeedDate.parts)
        if let first = words.first,
            weekday(first) || isAbbreviation(words) || isDayOfYear(words)
        {
            words.removeFirst()
        }
        var month: Int?
        var numbers: [(count: Int, value: Int)] = []
        var clock: Clock?
        var zone: [Substring] = []
        for word in words {
            let isTime = word.contains(":") || word.filter({ $0 == "." }).count == 2
            if isTime, clock == nil, let time = DateScanner.clock(word) {
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
        guard
            let day = CalendarDay(year: year(yearNumber), month: month, day: dayNumber.value),
            var time = clock ?? Clock(0, 0, 0)
        else { return nil }
        for word in zone { time.take(word) }
        return FeedDate(day, time)
    }

    /// Returns the year that a number of two, three or more digits stands for.
    private static func year(_ number: (count: Int, value: Int)) -> Int {
        switch number.count {
        case 2: year(ofTwo: number.value)
        // A year of three digits counts from 1900 (RFC 5322 §4.3); with a leading zero it is a
        // padded year of two digits.
        case 3: number.value < 100 ? year(ofTwo: number.value) : number.value + 1900
        default: number.value
        }
    }

    /// Returns whether the first word is the number of a day of the year, in place of the day of
    /// the week, before a whole date.
    private static func isDayOfYear(_ words: [Substring]) -> Bool {
        guard words.count > 3, words[0].count == 3, number(words[0]) != nil else { return false }
        return number(words[1]) != nil && monthNumber(words[2]) != nil && number(words[3]) != nil
    }

    /// Returns whether the first word is a day of the week, though a month has the same
    /// abbreviation: Tuesday is `mar` in French, Italian and Spanish.
    private static func isAbbreviation(_ words: [Substring]) -> Bool {
        guard words.count > 2, number(words[1]) != nil, monthNumber(words[0]) != nil else {
            return false
        }
        return words[2...].contains { monthNumber($0) != nil }
    }

    /// Returns `12-Jan-2024` and `12Jan2024` in their parts, and any other word as it is.
    private static func parts(_ word: Substring) -> [Substring] {
        let day = word.prefix(while: \.isNumber)
        let month = word.dropFirst(day.count).prefix(while: \.isLetter)
        let year = word.dropFirst(day.count + month.count)
        if 1...2 ~= day.count, month.count >= 3, [2, 4].contains(year.count),
            year.allSatisfy(\.isNumber)
        {
            return [day, month, year]
        }
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
        if let last = word.last, last == "月" || last == "월" {
            let name = word.dropLast()
            let number =
                Int(digits: name.utf8) ?? chineseNumbers.firstIndex(of: String(name)).map { $0 + 1 }
            return number.flatMap { 1...12 ~= $0 ? $0 : nil }
        }
        return months.firstIndex { names in
            names.contains { $0 == word || (word.count >= 3 && $0.count > 3 && $0.hasPrefix(word)) }
        }.map { $0 + 1 }
    }

    private static let chineseNumbers = [
        "一", "二", "三", "四", "五", "六", "七", "八", "九", "十", "十一", "十二",
    ]

    /// The names of months in English, German, French, Spanish, Italian, Portuguese, Dutch,
    /// Russian, Greek, Hungarian, Polish and Turkish.
    private static let months: [[String]] = [
        "jan january januar janvier enero gennaio gen janeiro januari jänner ene янв января"
            + " ιαν ιανουαρίου január stycznia styczeń ocak",
        "feb february februar février fév febrero febbraio fevereiro fev februari фев февраля"
            + " φεβ φεύ φεβρουαρίου február lutego luty şubat",
        "mar march märz mrz mär mars marzo março maart mrt мар марта"
            + " μάώ μαώ μαρ μάρ μαρτίου március marca marzec",
        "apr april avril avr abril abr aprile апр апреля"
            + " απρ απριλίου április kwietnia kwiecień nisan",
        "may mai mayo maggio mag maio mei мая май"
            + " μαι μάι μαϊ μαΐου május maja maj mayıs",
        "jun june juni juin junio giugno giu junho июн июня"
            + " ιον ιουν ιούν ιουνίου június czerwca czerwiec haziran",
        "jul july juli juillet julio luglio lug julho июл июля"
            + " ιολ ιουλ ιούλ ιουλίου július lipca lipiec temmuz",
        "aug august août agosto ago augustus авг августа"
            + " αυγ αύγ αυγούστου augusztus sierpnia sierpień ağustos",
        "sep sept september septembre septiembre settembre set setembro сен сентября"
            + " σεπ σεπτεμβρίου szeptember września wrzesień eylül",
        "oct october oktober okt octobre octubre ottobre ott outubro out окт октября"
            + " οκτ οκτωβρίου október października październik ekim",
        "nov november novembre noviembre novembro ноя ноября"
            + " νοε νοέ νοεμβρίου listopada listopad kasım",
        "dec december dezember dez décembre déc diciembre dic dicembre dezembro дек декабря"
            + " δεκ δεκεμβρίου grudnia grudzień aralık",
    ].map { $0.split(separator: " ").map(String.init) }
}
