import FeedModel

/// Puts some items of a collated feed in their places, where all others are in theirs.
///
/// Items that tie keep the order that they have, as when all are sorted.
struct CollatedPlacement {
    /// Where an item belongs; those without a string to go by come last of all.
    private struct Rank: Comparable {
        let section: Int
        let key: CollationKey?

        static func < (left: Rank, right: Rank) -> Bool {
            guard left.section == right.section else { return left.section < right.section }
            guard let key = left.key else { return false }
            return right.key.map { key < $0 } ?? true
        }
    }

    /// An item to be placed.
    private struct Stray {
        let item: FeedItem
        let rank: Rank
        /// Where it was, counted without the other strays before it in its section.
        let home: ItemPlace
        /// Its place in the order that it had among the strays.
        let number: Int
        /// Where it belongs in its new section, without other strays there.
        var target = 0
    }

    private let collation: IndexedCollation
    private let member: ExactString
    private let numbers: [ExactString: Int]
    private var snapshot: Snapshot
    /// Those that were worked out, each once: the same few items are looked at for every stray.
    private var ranks: [ObjectIdentifier: Rank] = [:]

    /// Begins with a feed.
    ///
    /// - Returns: `nil` where its sections are not those that the collation makes, in order.
    init?(_ collation: IndexedCollation, by member: ExactString, of snapshot: Snapshot) {
        self.collation = collation
        self.member = member
        self.snapshot = snapshot.indexed()
        let titles = collation.sectionTitles
        let numbers = Dictionary(zip(titles.map(ExactString.init(_:)), titles.indices)) {
            first,
            _ in first
        }
        self.numbers = numbers
        let found = snapshot.sections.map { numbers[$0.id] ?? -1 }
        guard !found.contains(-1), zip(found, found.dropFirst()).allSatisfy({ $0 < $1 }) else {
            return nil
        }
    }

    /// The feed with the items of some ids where they belong, and without empty sections.
    consuming func placing(_ ids: Set<ExactString>) -> Snapshot {
        var strays = takeOut(ids)
        for index in strays.indices { strays[index].target = target(of: strays[index]) }
        strays.sort { ($0.rank, $0.number) < ($1.rank, $1.number) }
        putIn(strays)
        for place in snapshot.sections.indices.reversed()
        where snapshot.sections[place].items.isEmpty {
            snapshot.removeSection(at: place)
        }
        return snapshot
    }

    private mutating func takeOut(_ ids: Set<ExactString>) -> [Stray] {
        let places = ids.compactMap(snapshot.place(ofItem:)).sorted()
        var strays: [Stray] = []
        var before = 0
        for (number, place) in places.enumerated() {
            if number > 0, places[number - 1].section != place.section { before = 0 }
            let item = snapshot.sections[Int(place.section)].items[Int(place.index)]
            let home = ItemPlace(section: Int(place.section), index: Int(place.index) - before)
            strays.append(Stray(item: item, rank: rank(of: item), home: home, number: number))
            before += 1
        }
        for place in places.reversed() { snapshot.removeItem(at: place) }
        return strays
    }

    private mutating func rank(of item: FeedItem) -> Rank {
        if let rank = ranks[ObjectIdentifier(item)] { return rank }
        let place = item.members[member]?.stringValue.map(collation.place(of:))
        let last = collation.sectionTitles.count - 1
        let rank = Rank(section: place?.section ?? last, key: place?.key)
        ranks[ObjectIdentifier(item)] = rank
        return rank
    }

    /// The place among those that are in theirs; where some tie, the one nearest to its home.
    private mutating func target(of stray: Stray) -> Int {
        guard let section = place(ofSection: stray.rank.section) else { return 0 }
        let items = snapshot.sections[section].items
        let first = partition(items) { $0 < stray.rank }
        let home = Int(stray.home.section)
        if home < section { return first }
        let last = partition(items) { !(stray.rank < $0) }
        return home > section ? last : min(max(Int(stray.home.index), first), last)
    }

    /// The number of items whose ranks are `isBefore`, which come first.
    private mutating func partition(_ items: ItemList, _ isBefore: (Rank) -> Bool) -> Int {
        var (low, high) = (0, items.count)
        while low < high {
            let middle = (low + high) / 2
            if isBefore(rank(of: items[middle])) { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Puts items in that are in their final order.
    private mutating func putIn(_ strays: [Stray]) {
        var section = -1
        var place = 0
        var before = 0
        for stray in strays {
            if stray.rank.section != section {
                section = stray.rank.section
                place = placeOrMake(section)
                before = 0
            }
            let row = ItemPlace(section: place, index: stray.target + before)
            snapshot.insert([stray.item], at: row)
            before += 1
        }
    }

    private func place(ofSection number: Int) -> Int? {
        snapshot.place(ofSection: ExactString(collation.sectionTitles[number]))
    }

    private mutating func placeOrMake(_ number: Int) -> Int {
        if let place = place(ofSection: number) { return place }
        let place = snapshot.sections.firstIndex { (numbers[$0.id] ?? 0) > number }
        let end = place ?? snapshot.sections.count
        snapshot.insert(collation.section(number, []), at: end)
        return end
    }
}
