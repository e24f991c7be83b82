/// Finds out which number of dates such as `05/06/2023` and `05-06-2023` is the day, from other
/// dates of the same document.
struct SlashedDates {
    private var (dayFirstCount, monthFirstCount, unclearCount) = (0, 0, 0)

    /// Whether the day comes first: a date shows it, and no date contradicts it.
    var isDayFirst: Bool { dayFirstCount > 0 && monthFirstCount == 0 }

    /// The note for the feed; `nil` if there is nothing to note.
    ///
    /// A note is needed if some dates can mean two days, and the other dates show neither order or
    /// both.
    var note: String? {
        guard unclearCount > 0, (dayFirstCount > 0) == (monthFirstCount > 0) else { return nil }
        return "dates such as 1/2/2003 are read with the month first"
    }

    /// Counts the dates of an entry.
    mutating func take(_ entry: XMLNode) {
        for case .node(let node) in entry.content {
            switch node.element {
            case .pubDate, .published, .issued, .created, .updated, .modified, .date:
                take(node.text)
            default: break
            }
        }
    }

    /// Counts a date.
    mutating func take(_ text: String) {
        if text.has(UInt8(ascii: "/")) { return take(text, "/") }
        if text.utf8.dropFirst().prefix(2).contains(UInt8(ascii: "-")) { take(text, "-") }
    }

    private mutating func take(_ text: String, _ separator: String) {
        let parts = text.split { !$0.isASCII || !$0.isNumber }.prefix(3)
        let numbers = parts.compactMap { Int($0) }
        guard numbers.count == 3, parts[2].count == 4, parts[0].count < 3,
            text.contains("\(parts[0])\(separator)\(parts[1])\(separator)")
        else { return }
        switch (numbers[0], numbers[1]) {
        case (13...31, 1...12): dayFirstCount += 1
        case (1...12, 13...31): monthFirstCount += 1
        case (1...12, 1...12): if numbers[0] != numbers[1] { unclearCount += 1 }
        default: break
        }
    }
}
