/// Pairs the items of a section with those of an earlier version of it, as far as walking along
/// both lists will do: only what is left needs hashing.
///
/// Pairs are by id, which is unique, so that a pair found here is the one that hashing would
/// find. The walk looks a few places ahead where the lists part; what it misses is left over.
struct SectionWalk {
    /// By what the walk knows items again where the lists have parted.
    enum Recognition {
        /// Versions of a feed share the items that did not change: nothing else is looked at.
        case identity
        /// The hash of the value, for a list that was only just read.
        case value
    }

    /// Two items of one id that are not one object.
    struct Renewal {
        var old: Int32
        var new: Int32
    }

    /// The places in the new list between the items that both lists begin and end with.
    private(set) var middle = 0..<0
    /// For each item of `middle`, the old place of the item that it is paired with.
    ///
    /// -1 without one. They ascend.
    private(set) var partners: [Int32] = []
    /// Items of the old list without a pair, ascending.
    private(set) var oldLeft: [Int32] = []
    /// Items of the new list without a pair, ascending.
    private(set) var newLeft: [Int32] = []
    /// The pairs that may differ in value, ascending in both lists.
    private(set) var renewals: [Renewal] = []

    private let recognition: Recognition

    /// How far to look ahead, in items skipped on both sides; less while that finds nothing.
    ///
    /// Ten times as far where one side alone skips, as when many came at once.
    private static let reach = 6

    /// Walks along two lists.
    init(from old: [Item], to new: [Item], by recognition: Recognition) {
        self.recognition = recognition
        guard !old.span.isIdentical(to: new.span) else { return }
        let start = pairStart(old, new)
        let tail = commonTail(old, new, from: start)
        middle = start..<new.count - tail
        pairMiddle(old, new, oldMiddle: start..<old.count - tail)
        for place in new.count - tail..<new.count {
            notePair(old, new, place - new.count + old.count, place)
        }
    }

    private mutating func notePair(_ old: [Item], _ new: [Item], _ i: Int, _ j: Int) {
        if old[i] !== new[j] { renewals.append(Renewal(old: Int32(i), new: Int32(j))) }
    }

    /// Pairs the items that both lists begin with and returns their number.
    private mutating func pairStart(_ old: [Item], _ new: [Item]) -> Int {
        let end = min(old.count, new.count)
        var place = 0
        while place < end, old[place].isSame(as: new[place]) {
            notePair(old, new, place, place)
            place += 1
        }
        return place
    }

    /// The number of items that both lists end with, behind the first `start`.
    private func commonTail(_ old: [Item], _ new: [Item], from start: Int) -> Int {
        let most = min(old.count, new.count) - start
        var length = 0
        while length < most,
            old[old.count - 1 - length].isSame(as: new[new.count - 1 - length])
        {
            length += 1
        }
        return length
    }

    private mutating func pairMiddle(_ old: [Item], _ new: [Item], oldMiddle: Range<Int>) {
        var i = oldMiddle.lowerBound
        var j = middle.lowerBound
        var reach = Self.reach
        partners = Array(repeating: -1, count: middle.count)
        while i < oldMiddle.upperBound, j < middle.upperBound {
            // Out of step the ids would hardly ever be the same.
            if reach > 0 ? old[i].isSame(as: new[j]) : isKnown(old[i], as: new[j]) {
                partners[j - middle.lowerBound] = Int32(i)
                notePair(old, new, i, j)
                (i, j, reach) = (i + 1, j + 1, Self.reach)
            } else {
                let skip = skip(
                    old[i..<oldMiddle.upperBound],
                    new[j..<middle.upperBound],
                    reach: reach
                )
                // Without success one of each is given up, and the next look is shorter: lists
                // in quite another order should not cost a long look at every place.
                if skip == nil { reach /= 2 }
                leaveOld(i..<i + (skip?.old ?? 1))
                leaveNew(j..<j + (skip?.new ?? 1))
                (i, j) = (i + (skip?.old ?? 1), j + (skip?.new ?? 1))
            }
        }
        leaveOld(i..<oldMiddle.upperBound)
        leaveNew(j..<middle.upperBound)
    }

    private mutating func leaveOld(_ places: Range<Int>) {
        for place in places { oldLeft.append(Int32(place)) }
    }

    private mutating func leaveNew(_ places: Range<Int>) {
        for place in places { newLeft.append(Int32(place)) }
    }

    /// The fewest items to skip on both sides so that two known ones meet; `nil` if there are none.
    private func skip(
        _ old: ArraySlice<Item>,
        _ new: ArraySlice<Item>,
        reach: Int
    ) -> (old: Int, new: Int)? {
        for distance in stride(from: 1, through: 10 * reach, by: 1) {
            let step = distance <= reach ? 1 : distance
            for skipped in stride(from: 0, through: distance, by: step) {
                let i = old.startIndex + skipped
                let j = new.startIndex + distance - skipped
                if i < old.endIndex, j < new.endIndex, isKnown(old[i], as: new[j]) {
                    return (skipped, distance - skipped)
                }
            }
        }
        return nil
    }

    private func isKnown(_ old: Item, as new: Item) -> Bool {
        switch recognition {
        case .identity: old === new
        case .value: old.json.valueHash == new.json.valueHash && old.isSame(as: new)
        }
    }
}

extension Item {
    /// Whether this and `other` are one item in, it may be, two versions.
    func isSame(as other: Item) -> Bool {
        self === other || id == other.id
    }
}
