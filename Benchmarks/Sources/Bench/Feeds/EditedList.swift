/// A list before and after edits that are known.
struct EditedList {
    /// The part of an item that a list algorithm sees.
    struct Element: Hashable, Sendable {
        let id: String
        /// The only value that can change.
        let likes: Int
    }

    let old: [Element]
    let new: [Element]
    /// The fewest changes from the old list to the new one.
    let fewest: Int

    /// Makes a list and edits it: a quarter of `edits` each removes, inserts, moves and changes
    /// items.
    init(_ count: Int, edits: Int) {
        var random = SplitMix64(state: UInt64(count &* 31 &+ edits))
        let quarter = max(1, edits / 4)
        old = (0..<count).map { Element(id: String($0), likes: 0) }
        var picked: Set<Int> = []
        while picked.count < 3 * quarter { picked.insert(.random(in: 0..<count, using: &random)) }
        let chosen = picked.sorted().shuffled(using: &random)
        let updated = Set(chosen[..<quarter])
        let (moved, gone) = (chosen[quarter..<2 * quarter], Set(chosen[quarter...]))
        // The items that stay and the inserted ones, by a place that may lie between two others.
        var places: [(place: Double, element: Element)] = []
        places.reserveCapacity(count + quarter)
        for index in 0..<count where !gone.contains(index) {
            let element = Element(id: String(index), likes: updated.contains(index) ? 1 : 0)
            places.append((Double(index), element))
        }
        for index in Array(moved) + Array(count..<count + quarter) {
            let place = Double.random(in: 0..<Double(count), using: &random)
            places.append((place, Element(id: String(index), likes: 0)))
        }
        places.sort { $0.place < $1.place }
        new = places.map(\.element)
        let stays = new.compactMap { Int($0.id) }.filter { $0 < count }
        fewest = 3 * quarter + stays.count - EditedList.longestAscent(stays)
    }

    /// Returns how many of the numbers can stay if the rest is removed to leave them ascending.
    ///
    /// This is patience sorting: it keeps the least last number of an ascent of each length.
    private static func longestAscent(_ numbers: [Int]) -> Int {
        var ends: [Int] = []
        for number in numbers {
            var (low, high) = (0, ends.count)
            while low < high {
                let middle = (low + high) / 2
                if ends[middle] < number { low = middle + 1 } else { high = middle }
            }
            if low == ends.count { ends.append(number) } else { ends[low] = number }
        }
        return ends.count
    }

    /// Returns a list as the body of a `PUT`.
    static func document(_ list: [Element]) -> [UInt8] {
        var text = Array(#"{"title":"Bench","items":["#.utf8)
        text.reserveCapacity(list.count * 165)
        for (place, element) in list.enumerated() {
            if place > 0 { text.append(UInt8(ascii: ",")) }
            text += FeedText.item(Int(element.id) ?? 0, likes: element.likes).utf8
        }
        text += "]}".utf8
        return text
    }
}
