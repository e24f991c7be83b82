/// Which number of dates such as `05/06/2023` is the day, as other dates of the same document show.
struct SlashedDates {
    private var (dayFirstCount, monthFirstCount, unclearCount) = (0, 0, 0)

    /// Whether the day comes first: a date says so, and none says otherwise.
    var isDayFirst: Bool { dayFirstCount > 0 && monthFirstCount == 0 }

    /// Whether some dates can mean two days, and none shows which.
    var isUnclear: Bool { unclearCount > 0 && dayFirstCount + monthFirstCount == 0 }

    /// Looks at the dates of an entry.
    mutating func take(_ entry: XMLNode) {
        for case .node(let node) in entry.content {
            switch node.element {
            case .pubDate, .published, .issued, .created, .updated, .modified, .date:
                take(node.text)
            default: break
            }
        }
    }

    private mutating func take(_ text: String) {
        guard text.has(UInt8(ascii: "/")) else { return }
        let parts = text.split { !$0.isASCII || !$0.isNumber }.prefix(3)
        let numbers = parts.compactMap { Int($0) }
        guard numbers.count == 3, parts[2].count == 4, text.contains("\(parts[0])/\(parts[1])/")
        else { return }
        switch (numbers[0], numbers[1]) {
        case (13...31, 1...12): dayFirstCount += 1
        case (1...12, 13...31): monthFirstCount += 1
        case (1...12, 1...12): if numbers[0] != numbers[1] { unclearCount += 1 }
        default: break
        }
    }
}
