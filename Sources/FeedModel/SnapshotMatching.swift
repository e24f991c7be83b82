/// Which sections and items of two versions of a feed are the same ones.
struct SnapshotMatching {
    let old: [Section]
    let new: [Section]
    /// For each new section the place of the same one in the old list; -1 without one.
    let sectionPartners: [Int32]
    /// For each new section the walk along it and its partner; empty without one.
    private(set) var walks: [SectionWalk] = []
    /// Old items that the walks did not pair, in feed order.
    private(set) var oldLeft: [ItemPlace] = []
    /// New items that the walks did not pair, in feed order.
    private(set) var newLeft: [ItemPlace] = []
    /// For each of `newLeft` its partner's place in `oldLeft`; -1 without one.
    private(set) var partners: [Int32] = []
    /// Which of `oldLeft` have a partner.
    private(set) var isPaired: [Bool] = []

    /// Matches sections by id, and items by walking along the sections.
    init(
        from old: [Section],
        to new: [Section],
        by recognition: SectionWalk.Recognition
    ) {
        self.old = old
        self.new = new
        sectionPartners = Self.sectionPartners(from: old, to: new)
        walks.reserveCapacity(new.count)
        var remains = [Bool](repeating: false, count: old.count)
        for (place, partner) in sectionPartners.enumerated() {
            if partner >= 0 { remains[Int(partner)] = true }
            walk(place, partner: Int(partner), by: recognition)
        }
        for place in old.indices where !remains[place] {
            leaveOld(old[place].items.indices.lazy.map(Int32.init), section: place)
        }
        if !zip(oldLeft, oldLeft.dropFirst()).allSatisfy(<) { oldLeft.sort() }
        partners = Array(repeating: -1, count: newLeft.count)
        isPaired = Array(repeating: false, count: oldLeft.count)
    }

    /// Whether each old section is still there.
    var remainingSections: [Bool] {
        var remains = [Bool](repeating: false, count: old.count)
        for partner in sectionPartners where partner >= 0 { remains[Int(partner)] = true }
        return remains
    }

    private mutating func walk(
        _ place: Int,
        partner: Int,
        by recognition: SectionWalk.Recognition
    ) {
        guard partner >= 0 else {
            walks.append(SectionWalk(from: [], to: [], by: recognition))
            leaveNew(new[place].items.indices.lazy.map(Int32.init), section: place)
            return
        }
        let walk = SectionWalk(
            from: old[partner].items,
            to: new[place].items,
            by: recognition
        )
        leaveOld(walk.oldLeft, section: partner)
        leaveNew(walk.newLeft, section: place)
        walks.append(walk)
    }

    private mutating func leaveOld(_ places: some Sequence<Int32>, section: Int) {
        for place in places { oldLeft.append(ItemPlace(section: section, index: Int(place))) }
    }

    private mutating func leaveNew(_ places: some Sequence<Int32>, section: Int) {
        for place in places { newLeft.append(ItemPlace(section: section, index: Int(place))) }
    }

    private static func sectionPartners(from old: [Section], to new: [Section]) -> [Int32] {
        var partners = [Int32](repeating: -1, count: new.count)
        var start = 0
        while start < min(old.count, new.count), old[start].id == new[start].id {
            partners[start] = Int32(start)
            start += 1
        }
        guard start < old.count, start < new.count else { return partners }
        var places = [Text: Int32](minimumCapacity: old.count - start)
        for place in start..<old.count { places[old[place].id] = Int32(place) }
        for place in start..<new.count { partners[place] = places[new[place].id] ?? -1 }
        return partners
    }
}

extension SnapshotMatching {
    /// Pairs those of what is left that are recognized so.
    mutating func pairLeft(by recognition: SectionWalk.Recognition) {
        let oldPlaces = oldLeft.indices.filter { !isPaired[$0] }
        let newPlaces = newLeft.indices.filter { partners[$0] < 0 }
        guard !oldPlaces.isEmpty, !newPlaces.isEmpty else { return }
        let oldKeys = recognition.keys(of: oldPlaces.lazy.map { [oldLeft] in oldLeft[$0] }, in: old)
        let newKeys = recognition.keys(of: newPlaces.lazy.map { [newLeft] in newLeft[$0] }, in: new)
        let table = HashTable(oldKeys)
        for (key, place) in zip(newKeys, newPlaces) {
            let partner = table.first(key, in: oldKeys) { candidate in
                recognition == .identity
                    || old[oldLeft[oldPlaces[candidate]]].isSame(as: new[newLeft[place]])
            }
            if let partner { pair(oldPlaces[partner], place) }
        }
    }

    /// Pairs what is left by id.
    mutating func pairLeftByID() {
        guard partners.contains(-1), isPaired.contains(false) else { return }
        var places: [Text: Int] = [:]
        for (place, item) in oldLeft.enumerated() where !isPaired[place] {
            places[old[item].id] = place
        }
        for (place, item) in newLeft.enumerated() where partners[place] < 0 {
            if let partner = places[new[item].id] { pair(partner, place) }
        }
    }

    private mutating func pair(_ oldPlace: Int, _ newPlace: Int) {
        partners[newPlace] = Int32(oldPlace)
        isPaired[oldPlace] = true
    }
}

extension SectionWalk.Recognition {
    /// What is the same for items that are recognized as the same.
    fileprivate func keys(of places: some Sequence<ItemPlace>, in sections: [Section]) -> [UInt64] {
        switch self {
        case .identity:
            places.map { UInt64(UInt(bitPattern: ObjectIdentifier(sections[$0]))) }
        case .value:
            places.map { sections[$0].json.valueHash }
        }
    }
}
