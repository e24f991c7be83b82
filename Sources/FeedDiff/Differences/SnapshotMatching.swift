import FeedModel

/// Which sections and items of two versions of a feed are the same ones.
///
/// Sections that both share are not looked into.
struct SnapshotMatching {
    /// An item that the matchers did not pair.
    struct Unmatched {
        var place: ItemPlace
        var item: FeedItem
        /// The place of its partner in the other list; -1 without one.
        var partner: Int32 = -1
    }

    /// A section of the new version that is not shared.
    struct NewSection {
        var place: Int
        var section: FeedSection
        /// The same one in the old version.
        var old: (place: Int, section: FeedSection)?
        /// The pairs of both.
        var matcher: SequenceMatcher
        /// Which of ``SnapshotMatching/newUnmatched`` are in it.
        var unmatched: Range<Int>
    }

    /// Sections that both versions have in the same order, shared or not.
    private(set) var sectionRuns: [ListRun] = []
    /// The sections that are not shared, in feed order.
    private(set) var newSections: [NewSection] = []
    /// The old sections that went, in feed order.
    private(set) var removedSections: [(place: Int, section: FeedSection)] = []
    /// Old items that the matchers did not pair, in feed order; those of sections that went only as
    /// far as a new item may be one of them.
    private(set) var oldUnmatched: [Unmatched] = []
    /// New items that the matchers did not pair, in feed order.
    private(set) var newUnmatched: [Unmatched] = []

    /// Matches sections by id, and items by walking along the sections.
    ///
    /// - Parameters:
    ///   - old: The earlier version.
    ///   - new: The later one.
    ///   - recognition: How the matchers know items again.
    ///   - isShallow: Whether sections that are shared are left out of ``newSections``.
    init(
        from old: Snapshot,
        to new: Snapshot,
        by recognition: SequenceMatcher.Recognition,
        isShallow: Bool = true
    ) {
        let (oldRest, newRest) = rest(from: old.list, to: new.list, isShallow: isShallow)
        var places: [ExactString: Int] = [:]
        let isInStep =
            oldRest.count == newRest.count
            && zip(oldRest, newRest).allSatisfy { $0.section.id == $1.section.id }
        if !isInStep {
            places.reserveCapacity(oldRest.count)
            for (index, rest) in oldRest.enumerated() { places[rest.section.id] = index }
        }
        var remains = [Bool](repeating: false, count: oldRest.count)
        for (index, rest) in newRest.enumerated() {
            let partner = isInStep ? index : places[rest.section.id]
            if let partner { remains[partner] = true }
            add(rest, partner: partner.map { oldRest[$0] }, by: recognition)
        }
        for (rest, remains) in zip(oldRest, remains) where !remains { removedSections.append(rest) }
        addItemsOfRemovedSections(of: old)
        if !zip(oldUnmatched, oldUnmatched.dropFirst()).allSatisfy({ $0.place < $1.place }) {
            oldUnmatched.sort { $0.place < $1.place }
        }
        sectionRuns.sort { $0.new < $1.new }
    }

    /// Adds what new items may be to `oldUnmatched`: where few came, those of their ids alone are
    /// looked for, so that a long section goes as quickly as a short one.
    private mutating func addItemsOfRemovedSections(of old: Snapshot) {
        let count = removedSections.reduce(0) { $0 + $1.section.items.count }
        guard count > 0, !newUnmatched.isEmpty else { return }
        if old.isIndexed, newUnmatched.count < count / 8 {
            let places = Set(removedSections.lazy.map(\.place))
            for unmatched in newUnmatched {
                guard let place = old.place(ofItem: unmatched.item.id),
                    places.contains(Int(place.section))
                else { continue }
                oldUnmatched.append(Unmatched(place: place, item: old.list[place]))
            }
            return
        }
        for removed in removedSections {
            for (index, item) in removed.section.items.enumerated() {
                let place = ItemPlace(section: removed.place, index: index)
                oldUnmatched.append(Unmatched(place: place, item: item))
            }
        }
    }

    /// The sections that are not shared; what is shared goes to `sectionRuns`.
    private mutating func rest(
        from old: SectionList,
        to new: SectionList,
        isShallow: Bool
    ) -> ([(place: Int, section: FeedSection)], [(place: Int, section: FeedSection)]) {
        guard isShallow else {
            return (
                old.enumerated().map { ($0.offset, $0.element) },
                new.enumerated().map { ($0.offset, $0.element) }
            )
        }
        let difference = TreeDifference(from: old.tree, to: new.tree)
        sectionRuns = difference.runs
        return (
            difference.gaps.flatMap { gap in
                gap.old.enumerated().map { (gap.oldStart + $0.offset, $0.element) }
            },
            difference.gaps.flatMap { gap in
                gap.new.enumerated().map { (gap.newStart + $0.offset, $0.element) }
            }
        )
    }

    private mutating func add(
        _ new: (place: Int, section: FeedSection),
        partner: (place: Int, section: FeedSection)?,
        by recognition: SequenceMatcher.Recognition
    ) {
        let start = newUnmatched.count
        let items = partner?.section.items
        let matcher = SequenceMatcher(
            from: items ?? ItemList(),
            to: new.section.items,
            by: recognition
        )
        for rest in matcher.newUnmatched {
            let place = ItemPlace(section: new.place, index: rest.index)
            newUnmatched.append(Unmatched(place: place, item: rest.item))
        }
        if let partner {
            sectionRuns.append(ListRun(old: partner.place, new: new.place, count: 1))
            for rest in matcher.oldUnmatched {
                let place = ItemPlace(section: partner.place, index: rest.index)
                oldUnmatched.append(Unmatched(place: place, item: rest.item))
            }
        }
        newSections.append(
            NewSection(
                place: new.place,
                section: new.section,
                old: partner,
                matcher: matcher,
                unmatched: start..<newUnmatched.count
            )
        )
    }
}

extension SnapshotMatching {
    /// How many items came, went, moved or differ in value.
    var changeCount: Int {
        newSections.reduce(newUnmatched.count + oldUnmatched.count) { $0 + $1.changedCount }
    }
}

extension SnapshotMatching.NewSection {
    /// Whether its list of items is another than before.
    var hasChanges: Bool {
        changedCount > 0 || !unmatched.isEmpty || section.items.count != old?.section.items.count
    }

    /// Items that differ in value.
    fileprivate var changedCount: Int { matcher.changedPairs.count { !$0.isEqual } }
}

extension SnapshotMatching {
    /// Pairs those of the unmatched items that are recognized so.
    mutating func matchUnmatched(by recognition: SequenceMatcher.Recognition) {
        let oldPlaces = oldUnmatched.indices.filter { oldUnmatched[$0].partner < 0 }
        let newPlaces = newUnmatched.indices.filter { newUnmatched[$0].partner < 0 }
        guard !oldPlaces.isEmpty, !newPlaces.isEmpty else { return }
        let oldKeys = oldPlaces.map { recognition.key(of: oldUnmatched[$0].item) }
        let table = HashTable(oldKeys)
        for place in newPlaces {
            let item = newUnmatched[place].item
            let partner = table.first(recognition.key(of: item), in: oldKeys) { candidate in
                recognition == .identity || oldUnmatched[oldPlaces[candidate]].item.isSame(as: item)
            }
            if let partner { pair(oldPlaces[partner], place) }
        }
    }

    /// Pairs the unmatched items by id.
    mutating func matchUnmatchedByID() {
        var places: [ExactString: Int] = [:]
        for place in newUnmatched.indices where newUnmatched[place].partner < 0 {
            places[newUnmatched[place].item.id] = place
        }
        guard !places.isEmpty else { return }
        for place in oldUnmatched.indices where oldUnmatched[place].partner < 0 {
            if let partner = places[oldUnmatched[place].item.id] { pair(place, partner) }
        }
    }

    private mutating func pair(_ oldPlace: Int, _ newPlace: Int) {
        newUnmatched[newPlace].partner = Int32(oldPlace)
        oldUnmatched[oldPlace].partner = Int32(newPlace)
    }
}

extension SequenceMatcher.Recognition {
    /// What is the same for items that are recognized as the same.
    fileprivate func key(of item: FeedItem) -> UInt64 {
        switch self {
        case .identity: UInt64(UInt(bitPattern: ObjectIdentifier(item)))
        case .value: item.json.valueHash
        }
    }
}
