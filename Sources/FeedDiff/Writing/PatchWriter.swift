import FeedModel

/// Writes the JSON Patch (RFC 6902) between two documents of a PUT.
///
/// Each operation applies to the result of the previous ones. What moves is removed and added, so
/// that every index is one in the old or in the new document: first items and sections leave, the
/// last first; then sections arrive with their items, and items in sections that stay, the first
/// first; at last members are set and unset.
struct PatchWriter {
    private var writer = JSONWriter()
    private let changes: PlacedChanges
    private var old: ListReader
    private var new: ListReader
    private let end: ItemEnd
    private let oldMembers: Members
    /// The number of bytes beyond which the patch is given up.
    private let byteLimit: Int
    /// The new positions of sections that are added with all of their items.
    private let addedSections: Set<Int>
    /// The new positions of items that are added to sections that stay, ascending.
    private let addedItems: [ItemPosition]

    private init(
        _ changes: PlacedChanges,
        from old: ViewedSnapshot,
        to new: ViewedSnapshot,
        byteLimit: Int
    ) {
        self.changes = changes
        self.old = ListReader(old.base.list)
        self.new = ListReader(new.base.list)
        end = new.end
        oldMembers = old.base.members
        self.byteLimit = byteLimit
        let added = Set(changes.insertedSections + changes.movedSections.map(\.new))
        addedSections = added
        addedItems = (changes.insertedItems + changes.movedItems.map(\.new))
            .filter { !added.contains(Int($0.section)) }
            .sorted()
    }

    /// Returns the patch, an array of operations.
    ///
    /// - Parameter byteLimit: The most bytes of the patch.
    /// - Returns: `nil` if the patch would be longer.
    static func patch(
        _ changes: PlacedChanges,
        from old: ViewedSnapshot,
        to new: ViewedSnapshot,
        byteLimit: Int = .max
    ) -> [UInt8]? {
        var patch = PatchWriter(changes, from: old, to: new, byteLimit: byteLimit)
        patch.writer.beginArray()
        patch.remove()
        patch.add()
        patch.editFeedAndSections()
        patch.editItems()
        guard !patch.isOver else { return nil }
        patch.writer.endArray()
        let bytes = patch.writer.finish()
        return bytes.count <= byteLimit ? bytes : nil
    }

    /// Whether the patch is already longer than the limit, so that the rest need not be written.
    private var isOver: Bool { writer.count > byteLimit }
}

/// Takes the steps of a patch, in their order.
extension PatchWriter {
    /// Removes items from sections that stay in place, and sections, from the end to the start.
    private mutating func remove() {
        let sections = Set(changes.removedSections + changes.movedSections.map(\.old))
        let items = (changes.removedItems + changes.movedItems.map(\.old))
            .filter { !sections.contains(Int($0.section)) }
        for item in items.sorted().reversed() where !isOver {
            remove(PatchPlace(section: Int(item.section), item: Int(item.index)))
        }
        for section in sections.sorted().reversed() where !isOver {
            remove(PatchPlace(section: section))
        }
    }

    /// Adds sections with all of their items, and items to sections that stay, from the start to
    /// the end.
    private mutating func add() {
        for position in addedSections.sorted() where !isOver {
            let section = new.section(at: position)
            begin(PatchWriter.add, PatchPlace(section: position))
            writer.name("value")
            writer.beginSection(id: section.id, section.members, count: nil)
            end.part(of: section.items, at: position).forEachItem { writer.json($0.json) }
            writer.endSection()
            writer.endObject()
        }
        for position in addedItems where !isOver {
            let place = PatchPlace(section: Int(position.section), item: Int(position.index))
            begin(PatchWriter.add, place)
            writer.name("value")
            writer.json(new.item(at: position).json)
            writer.endObject()
        }
    }

    private mutating func editFeedAndSections() {
        edit(nil, changes.feed, old: oldMembers)
        for update in changes.updatedSections where !isOver {
            guard !addedSections.contains(update.position.new) else { continue }
            let members = old.section(at: update.position.old).members
            edit(PatchPlace(section: update.position.new), update.edit, old: members)
        }
    }

    /// Edits the items that were not added, because added items already have their new members.
    private mutating func editItems() {
        let added = Set(addedItems)
        for pair in changes.updatedItems where !isOver {
            let section = Int(pair.new.section)
            guard !addedSections.contains(section), !added.contains(pair.new) else { continue }
            let before = old.item(at: pair.old)
            let place = PatchPlace(section: section, item: Int(pair.new.index))
            edit(place, new.item(at: pair.new).edit(from: before), old: before.members)
        }
    }
}

/// Writes the operations.
extension PatchWriter {
    private static let add = Array(#"{"op":"add","path":"#.utf8)
    private static let remove = Array(#"{"op":"remove","path":"#.utf8)
    private static let replace = Array(#"{"op":"replace","path":"#.utf8)

    /// Writes the head of an operation and its path; the value and the end must follow.
    private mutating func begin(
        _ head: [UInt8],
        _ place: PatchPlace?,
        member: ExactString? = nil
    ) {
        writer.part(head)
        writer.pointer(place, member: member)
    }

    private mutating func remove(_ place: PatchPlace?, member: ExactString? = nil) {
        begin(PatchWriter.remove, place, member: member)
        writer.endObject()
    }

    /// Sets and removes members of a section or an item; `nil`: of the feed.
    private mutating func edit(_ place: PatchPlace?, _ edit: Changes.MemberEdit, old: Members) {
        for name in edit.unset { remove(place, member: name) }
        // The search is linear for a few members; for many it would take quadratic time.
        let isFew = edit.set.count <= 8
        let names = isFew ? [] : Set(old.list.lazy.map(\.name))
        for member in edit.set {
            let isThere = isFew ? old[member.name] != nil : names.contains(member.name)
            begin(isThere ? PatchWriter.replace : PatchWriter.add, place, member: member.name)
            writer.name("value")
            writer.json(member.value)
            writer.endObject()
        }
    }
}

/// The target of an operation of a patch: a section, or an item in it, by their indices.
struct PatchPlace {
    var section: Int
    var item: Int?
}
