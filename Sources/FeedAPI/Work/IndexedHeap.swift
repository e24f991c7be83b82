/// Elements by key, the least first; a key can change, and an element leave, in logarithmic time.
struct IndexedHeap<Element: Hashable, Key: Comparable> {
    private var nodes: [(element: Element, key: Key)] = []
    private var places: [Element: Int] = [:]

    var count: Int { nodes.count }

    /// The element with the least key.
    var first: (element: Element, key: Key)? { nodes.first }

    /// The element with the least key of all but one.
    func first(but element: Element) -> Element? {
        guard let first, first.element == element else { return first?.element }
        let second = nodes.dropFirst().prefix(2).min { $0.key < $1.key }
        return second?.element
    }

    /// Gives an element its key; it may be new.
    mutating func set(_ element: Element, _ key: Key) {
        guard let place = places[element] else {
            places[element] = nodes.count
            nodes.append((element, key))
            rise(from: nodes.count - 1)
            return
        }
        let old = nodes[place].key
        nodes[place].key = key
        if key < old { rise(from: place) } else { sink(from: place) }
    }

    /// Takes an element out, if it is there.
    mutating func remove(_ element: Element) {
        guard let place = places.removeValue(forKey: element) else { return }
        let last = nodes.removeLast()
        guard place < nodes.count else { return }
        let old = nodes[place].key
        put(last, at: place)
        if last.key < old { rise(from: place) } else { sink(from: place) }
    }

    private mutating func put(_ node: (element: Element, key: Key), at place: Int) {
        nodes[place] = node
        places[node.element] = place
    }

    private mutating func rise(from start: Int) {
        let node = nodes[start]
        var place = start
        while place > 0, node.key < nodes[(place - 1) / 2].key {
            put(nodes[(place - 1) / 2], at: place)
            place = (place - 1) / 2
        }
        if place != start { put(node, at: place) }
    }

    private mutating func sink(from start: Int) {
        let node = nodes[start]
        var place = start
        while 2 * place + 1 < nodes.count {
            var child = 2 * place + 1
            if child + 1 < nodes.count, nodes[child + 1].key < nodes[child].key { child += 1 }
            guard nodes[child].key < node.key else { break }
            put(nodes[child], at: place)
            place = child
        }
        if place != start { put(node, at: place) }
    }
}
