import FeedModel
import TestSupport

/// Edits.
extension RandomPublisher {
    /// Edits ``feed`` and tells how.
    mutating func edit() -> TestJSON {
        let ids = feed.itemIDs
        if let id = ids.randomElement(using: &random), Int.random(in: 0..<10, using: &random) < 6 {
            switch Int.random(in: 0..<5, using: &random) {
            case 0: return remove(id)
            case 1: return set(id)
            case 2: return replace(id)
            default: return move(id)
            }
        }
        if !feed.sections.isEmpty, Int.random(in: 0..<4, using: &random) > 0 { return insert() }
        return sectionEdit()
    }

    private mutating func sectionEdit() -> TestJSON {
        guard let section = feed.sections.randomElement(using: &random) else {
            return insertSection()
        }
        switch Int.random(in: 0..<6, using: &random) {
        case 0: return insertSection()
        case 1 where feed.sections.count > 2:
            feed.sections.removeAll { $0.id == section.id }
            return ["removeSection": .string(section.id)]
        case 2: return moveSection(section)
        case 3:
            let edit = memberEdit(section.members)
            update(section: section.id, edit)
            return .object([
                "setSection": edit["set"] ?? .null, "unset": edit["unset"] ?? .null,
                "section": .string(section.id),
            ])
        default:
            let edit = memberEdit(feed.members)
            feed.members = NaiveFeed.edited(feed.members, edit)
            return .object(["setFeed": edit["set"] ?? .null, "unset": edit["unset"] ?? .null])
        }
    }

    private mutating func remove(_ id: ExactString) -> TestJSON {
        if let (section, index) = feed.position(of: id) {
            feed.sections[section].items.remove(at: index)
        }
        return ["remove": .string(id)]
    }

    private mutating func set(_ id: ExactString) -> TestJSON {
        guard let (section, index) = feed.position(of: id) else { return .null }
        let old = feed.sections[section].items[index].members
        let edit = memberEdit(old.filter { $0.key != "id" })
        feed.sections[section].items[index] = .object(NaiveFeed.edited(old, edit))
        return .object([
            "set": edit["set"] ?? .null, "unset": edit["unset"] ?? .null,
            "item": .string(id),
        ])
    }

    private mutating func replace(_ id: ExactString) -> TestJSON {
        guard let (section, index) = feed.position(of: id) else { return .null }
        let item = item(id)
        feed.sections[section].items[index] = item
        return .object(["replace": item])
    }

    private mutating func move(_ id: ExactString) -> TestJSON {
        guard let (section, index) = feed.position(of: id) else { return .null }
        let item = feed.sections[section].items.remove(at: index)
        var edit: [ExactString: TestJSON] = ["move": .string(id)]
        edit.merge(place(item, default: section)) { $1 }
        return .object(edit)
    }

    private mutating func insert() -> TestJSON {
        var edit: [ExactString: TestJSON] = [:]
        let item = item(newID())
        edit["insert"] = item
        edit.merge(place(item, default: 0)) { $1 }
        return .object(edit)
    }

    /// Puts an item somewhere and tells where.
    private mutating func place(_ item: TestJSON, default section: Int) -> [ExactString: TestJSON] {
        if let other = feed.itemIDs.randomElement(using: &random), Bool.random(using: &random),
            let (section, index) = feed.position(of: other)
        {
            let isBefore = Bool.random(using: &random)
            feed.sections[section].items.insert(item, at: isBefore ? index : index + 1)
            return [isBefore ? "before" : "after": .string(other)]
        }
        var members: [ExactString: TestJSON] = [:]
        var section = section
        if Bool.random(using: &random) {
            section = feed.sections.indices.randomElement(using: &random) ?? 0
            members["section"] = .string(feed.sections[section].id)
        }
        let end = feed.sections[section].items.count
        switch Int.random(in: 0..<3, using: &random) {
        case 0:
            feed.sections[section].items.insert(item, at: 0)
        case 1:
            members["at"] = "start"
            feed.sections[section].items.insert(item, at: 0)
        default:
            members["at"] = "end"
            feed.sections[section].items.insert(item, at: end)
        }
        return members
    }

    private mutating func insertSection() -> TestJSON {
        var section = NaiveFeed.Section(id: newID())
        section.members = memberEdit([:])["set"]?.members ?? [:]
        for _ in 0..<Int.random(in: 0...3, using: &random) { section.items.append(item(newID())) }
        if Bool.random(using: &random) {
            feed.sections.insert(section, at: 0)
            return ["insertSection": section.document, "at": "start"]
        }
        feed.sections.append(section)
        return ["insertSection": section.document]
    }

    private mutating func moveSection(_ section: NaiveFeed.Section) -> TestJSON {
        feed.sections.removeAll { $0.id == section.id }
        guard let other = feed.sections.indices.randomElement(using: &random),
            Bool.random(using: &random)
        else {
            feed.sections.append(section)
            return ["moveSection": .string(section.id)]
        }
        let neighbour = feed.sections[other].id
        feed.sections.insert(section, at: other)
        return ["moveSection": .string(section.id), "before": .string(neighbour)]
    }

    private mutating func update(section id: ExactString, _ edit: TestJSON) {
        guard let place = feed.sections.firstIndex(where: { $0.id == id }) else { return }
        feed.sections[place].members = NaiveFeed.edited(feed.sections[place].members, edit)
    }
}
