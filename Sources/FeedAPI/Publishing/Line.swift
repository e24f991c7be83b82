/// What waits, in the order of its coming; both ends in constant time.
struct Line<Element> {
    private var last: [Element] = []
    /// Before ``last``, the next one at its end.
    private var first: [Element] = []

    mutating func append(_ element: Element) {
        last.append(element)
    }

    mutating func popFirst() -> Element? {
        if first.isEmpty {
            first = last.reversed()
            last = []
        }
        return first.popLast()
    }
}

extension Line: Sendable where Element: Sendable {}
