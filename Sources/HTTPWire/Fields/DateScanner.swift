/// Reads a date's text byte by byte (RFC 9110 §5.6.7).
struct DateScanner {
    private var rest: Substring.UTF8View

    init(_ text: String) {
        rest = text[...].utf8
    }

    var isAtEnd: Bool { rest.isEmpty }

    /// The longest run of letters.
    mutating func letters() -> String {
        let letters = rest.prefix(while: \.isLetter)
        rest = rest.dropFirst(letters.count)
        return String(decoding: letters, as: UTF8.self)
    }

    /// Passes over `text`, and says whether it was there.
    mutating func skip(_ text: String) -> Bool {
        guard rest.starts(with: text.utf8) else { return false }
        rest = rest.dropFirst(text.utf8.count)
        return true
    }

    /// A number of exactly so many digits.
    private mutating func number(digits count: Int) -> Int? {
        let digits = rest.prefix(count)
        guard digits.count == count, digits.allSatisfy(\.isDigit) else { return nil }
        rest = rest.dropFirst(count)
        return digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    }

    /// hour ":" minute ":" second; a leap second is one more than 59.
    private mutating func secondOfDay() -> Int? {
        guard let hour = number(digits: 2), hour < 24, skip(":"),
            let minute = number(digits: 2), minute < 60, skip(":"),
            let second = number(digits: 2), second <= 60
        else { return nil }
        return hour * 3600 + minute * 60 + second
    }

    /// " 06 Nov 1994 08:49:37 GMT".
    mutating func fixedDate() -> DateFields? {
        guard skip(" "), let day = number(digits: 2), skip(" ") else { return nil }
        let month = letters()
        guard skip(" "), let year = number(digits: 4), skip(" "), let time = secondOfDay(),
            skip(" GMT")
        else { return nil }
        return DateFields(month: month, year: year, day: day, secondOfDay: time)
    }

    /// " 06-Nov-94 08:49:37 GMT".
    mutating func datedDate() -> DateFields? {
        guard skip(" "), let day = number(digits: 2), skip("-") else { return nil }
        let month = letters()
        guard skip("-"), let year = number(digits: 2), skip(" "), let time = secondOfDay(),
            skip(" GMT")
        else { return nil }
        return DateFields(month: month, year: year, hasShortYear: true, day: day, secondOfDay: time)
    }

    /// " Nov  6 08:49:37 1994".
    mutating func asctimeDate() -> DateFields? {
        guard skip(" ") else { return nil }
        let month = letters()
        guard skip(" "), let day = skip(" ") ? number(digits: 1) : number(digits: 2), skip(" "),
            let time = secondOfDay(), skip(" "), let year = number(digits: 4)
        else { return nil }
        return DateFields(month: month, year: year, day: day, secondOfDay: time)
    }
}
