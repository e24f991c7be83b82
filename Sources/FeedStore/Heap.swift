/// A list that gives its least element first.
///
/// A binary heap: J. W. J. Williams, "Algorithm 232: Heapsort", Communications of the ACM 7 (6),
/// 1964.
struct Heap<Element: Comparable> {
    /// Each element is at most as great as those at twice its position plus 1 and 2.
    private var elements: [Element] = []

    var count: Int { elements.count }

    /// Adds an element, in the logarithm of the count.
    mutating func insert(_ element: Element) {
        elements.append(element)
        var child = elements.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard elements[child] < elements[parent] else { return }
            elements.swapAt(child, parent)
            child = parent
        }
    }

    /// Takes out the least element, in the logarithm of the count.
    mutating func popLeast() -> Element? {
        guard elements.count > 1 else { return elements.popLast() }
        elements.swapAt(0, elements.count - 1)
        let least = elements.popLast()
        var parent = 0
        while let child = leastChild(of: parent), elements[child] < elements[parent] {
            elements.swapAt(child, parent)
            parent = child
        }
        return least
    }

    /// Takes out all elements for which `condition` does not hold.
    mutating func keep(where condition: (Element) -> Bool) {
        let kept = elements.filter(condition)
        elements = []
        for element in kept { insert(element) }
    }

    private func leastChild(of parent: Int) -> Int? {
        let left = 2 * parent + 1
        guard left < elements.count else { return nil }
        let right = left + 1
        return right < elements.count && elements[right] < elements[left] ? right : left
    }
}
