import FeedModel

/// The steps of "Applying changes" (docs/READING.md).
extension HeldFeed {
    mutating func apply(_ changes: JSONValue) throws(CaseFailure) {
        let (ofItems, ofSections) = (changes["items"], changes["sections"])
        let moved = try takeItems(ofItems)
        let movedSections = try takeSections(ofSections)
        try putSections(ofSections, movedSections)
        try putItems(ofItems, moved)
        try finish(changes["feed"])
        for entry in list("update", ofSections) {
            let index = try section(entry["id"])
            try sections[index].members.edit(entry)
            if let count = entry["count"] { sections[index].members["count"] = count }
        }
        for entry in list("update", ofItems) {
            let (section, index) = try item(entry["id"])
            try sections[section].items[index].edit(entry)
        }
        count()
    }

    /// Takes out the items that move, and the removed ones.
    private mutating func takeItems(
        _ changes: JSONValue?
    ) throws(CaseFailure) -> [[JSONValue.Entry]] {
        var moved: [[JSONValue.Entry]] = []
        for entry in list("move", changes) {
            let (section, index) = try item(entry["id"])
            moved.append(sections[section].items.remove(at: index))
        }
        for id in list("remove", changes) {
            let (section, index) = try item(id)
            sections[section].items.remove(at: index)
        }
        return moved
    }

    private mutating func takeSections(_ changes: JSONValue?) throws(CaseFailure) -> [Section] {
        var moved: [Section] = []
        for entry in list("move", changes) {
            moved.append(sections.remove(at: try section(entry["id"])))
        }
        for id in list("remove", changes) { sections.remove(at: try section(id)) }
        return moved
    }

    private mutating func putSections(
        _ changes: JSONValue?,
        _ moved: [Section]
    ) throws(CaseFailure) {
        var placed: [(index: Int, element: Section)] = []
        for entry in list("insert", changes) {
            guard let section = entry["section"] else { throw CaseFailure("an insert of nothing") }
            let members = try HeldFeed.members(of: section)
            placed.append((try index(entry), Section(members: members, items: [])))
        }
        for (entry, section) in zip(list("move", changes), moved) {
            placed.append((try index(entry), section))
        }
        try put(placed, into: &sections)
    }

    private mutating func putItems(
        _ changes: JSONValue?,
        _ moved: [[JSONValue.Entry]]
    ) throws(CaseFailure) {
        var placed: [Int: [(index: Int, element: [JSONValue.Entry])]] = [:]
        for entry in list("insert", changes) {
            guard let item = entry["item"] else { throw CaseFailure("an insert of nothing") }
            let place = (try index(entry), try HeldFeed.members(of: item))
            placed[try section(entry["section"]), default: []].append(place)
        }
        for (entry, item) in zip(list("move", changes), moved) {
            placed[try section(entry["section"]), default: []].append((try index(entry), item))
        }
        for (section, items) in placed { try put(items, into: &sections[section].items) }
    }

    private func put<Element>(
        _ placed: [(index: Int, element: Element)],
        into list: inout [Element]
    ) throws(CaseFailure) {
        for (index, element) in placed.sorted(by: { $0.index < $1.index }) {
            guard 0...list.count ~= index else {
                throw CaseFailure("no position \(index) in a list of \(list.count)")
            }
            list.insert(element, at: index)
        }
    }

    private func list(_ name: ExactString, _ changes: JSONValue?) -> [JSONValue] {
        changes?[name]?.elements ?? []
    }

    private func index(_ entry: JSONValue) throws(CaseFailure) -> Int {
        guard let index = entry["index"]?.integer else { throw CaseFailure("no index") }
        return index
    }

    private func section(_ id: JSONValue?) throws(CaseFailure) -> Int {
        guard let id = id?.string.map({ ExactString($0) }),
            let index = sections.firstIndex(where: { $0.id == id })
        else { throw CaseFailure("no section \(id?.spelled ?? "named")") }
        return index
    }

    private func item(_ id: JSONValue?) throws(CaseFailure) -> (section: Int, index: Int) {
        guard let id = id?.string.map({ ExactString($0) }) else {
            throw CaseFailure("no item is named")
        }
        for (number, section) in sections.enumerated() {
            if let index = section.items.firstIndex(where: { $0.id == id }) {
                return (number, index)
            }
        }
        throw CaseFailure("no item \"\(id)\"")
    }
}
