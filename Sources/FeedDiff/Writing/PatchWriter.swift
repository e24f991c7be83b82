import FeedModel

/// Writes the JSON Patch (RFC 6902) between two documents of a PUT.
///
/// Each operation applies to the result of the previous ones. What moves is removed and added, so
/// that every index is one in the old or in the new document: first members of what stays are set
/// and unset; then items and sections leave, the last first; then sections arrive with their items,
/// and items in sections that stay, the first first.
struct PatchWriter {
    private var writer = JSONWriter()
    private let changes: Changes
    private let old: Snapshot
    private let new: ViewedSnapshot
    private let byteLimit: Int
    /// The old positions of sections that leave, to be gone or added elsewhere.
    private let removedSections: Set<Int>
    /// The items that are added to sections that stay, ascending by new position.
    private let addedItems: [(position: ItemPosition, item: FeedItem)]

    private init(
        _ changes: Changes,
        from old: ViewedSnapshot,
        to new: ViewedSnapshot,
        byteLimit: Int
    ) {
        let indexed = old.base.indexed()
        self.changes = changes
        self.old = indexed
        self.new = new
        self.byteLimit = byteLimit
        removedSections = Set(
            (changes.removedSections + changes.movedSections.map(\.id))
                .compactMap(indexed.position(ofSection:))
        )
        addedItems = changes.additions(to: new.base)
    }

    /// Returns the patch, an array of operations; `nil` if it would be longer than `byteLimit`.
    static func patch(
        _ changes: Changes,
        from old: ViewedSnapshot,
        to new: ViewedSnapshot,
        byteLimit: Int = .max
    ) -> [UInt8]? {
        var patch = PatchWriter(changes, from: old, to: new, byteLimit: byteLimit)
        // A patch that is too long for its added and removed items alone costs no look-ups of
        // others. The items that moved sections lose are not removed one by one.
        let removed = changes.movedSections.isEmpty ? changes.removedItems.count : 0
        let least = patch.addedItems.reduce(removed * leastRemoval) {
            $0 + leastAddition + $1.item.byteCount
        }
        guard least <= byteLimit else { return nil }
        patch.writer.beginArray()
        patch.edit()
        patch.remove()
        patch.add()
        guard !patch.isOver else { return nil }
        patch.writer.endArray()
        let bytes = patch.writer.finish()
        return bytes.count <= byteLimit ? bytes : nil
    }

    /// The bytes of `{"op":"add","path":"/sections/0/items/0","value":}`.
    private static let leastAddition = 50
    /// The bytes of `{"op":"remove","path":"/sections/0/items/0"}`.
    private static let leastRemoval = 44

    /// Whether the patch is already longer than the limit, so that the rest need not be written.
    private var isOver: Bool { writer.buffer.count > byteLimit }
}

extension Changes {
    /// Returns the items that arrive in sections that stay in place, ascending by position in
    /// `new`, the version that the changes lead to.
    fileprivate func additions(
        to new: Snapshot
    ) -> [(position: ItemPosition, item: FeedItem)] {
        let added = Set(insertedSections.map(\.id) + movedSections.map(\.id))
        let arrivals =
            insertedItems.map { (section: $0.section, index: $0.index) }
            + movedItems.map { (section: $0.section, index: $0.index) }
        guard !arrivals.isEmpty else { return [] }
        let new = new.indexed()
        var additions: [(position: ItemPosition, item: FeedItem)] = []
        var section: (id: ExactString, position: Int)?
        for arrival in arrivals where !added.contains(arrival.section) {
            if section?.id != arrival.section {
                section = new.position(ofSection: arrival.section).map { (arrival.section, $0) }
            }
            guard let section else { continue }
            let position = ItemPosition(section: section.position, index: arrival.index)
            additions.append((position, new.list[position]))
        }
        return additions.sorted { $0.position < $1.position }
    }
}

/// Takes the steps of a patch, in their order.
extension PatchWriter {
    /// Edits the feed, and the sections and items that stay in place: added ones have their new
    /// members already.
    private mutating func edit() {
        edit(nil, changes.feed, old: old.members)
        for update in changes.updatedSections where !isOver {
            guard let position = old.position(ofSection: update.id),
                !removedSections.contains(position)
            else { continue }
            let members = old.list[position].members
            edit(PatchPlace(section: position), update.edit, old: members)
        }
        let moved = Set(changes.movedItems.lazy.map(\.id))
        for update in changes.updatedItems where !isOver {
            guard !moved.contains(update.id), let position = old.position(ofItem: update.id),
                !removedSections.contains(Int(position.section))
            else { continue }
            edit(PatchPlace(position), update.edit, old: old.list[position].members)
        }
    }

    /// Removes items from sections that stay in place, and sections, from the end to the start.
    private mutating func remove() {
        guard !isOver else { return }
        let items = (changes.removedItems + changes.movedItems.map(\.id))
            .compactMap(old.position(ofItem:))
            .filter { !removedSections.contains(Int($0.section)) }
        for position in items.sorted().reversed() where !isOver { remove(PatchPlace(position)) }
        for section in removedSections.sorted().reversed() where !isOver {
            remove(PatchPlace(section: section))
        }
    }

    /// Adds sections with all of their items, and items to sections that stay, from the start to
    /// the end.
    private mutating func add() {
        let sections = changes.insertedSections.map(\.index) + changes.movedSections.map(\.index)
        for position in sections.sorted() where !isOver {
            let section = new.base.list[position]
            begin(PatchWriter.add, PatchPlace(section: position))
            writer.name("value")
            writer.beginSection(id: section.id, section.members, count: nil)
            new.end.part(of: section.items, at: position).forEachItem { writer.json($0.json) }
            writer.endSection()
            writer.endObject()
        }
        for (position, item) in addedItems where !isOver {
            begin(PatchWriter.add, PatchPlace(position))
            writer.name("value")
            writer.json(item.json)
            writer.endObject()
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
        writer.buffer.append(contentsOf: head)
        writer.pointer(place, member: member)
    }

    private mutating func remove(_ place: PatchPlace?, member: ExactString? = nil) {
        begin(PatchWriter.remove, place, member: member)
        writer.endObject()
    }

    /// Sets and removes members of a section or an item; `nil`: of the feed.
    private mutating func edit(_ place: PatchPlace?, _ edit: Changes.MemberEdit, old: Members) {
        for name in edit.unset { remove(place, member: name) }
        let names = Set(old.list.lazy.map(\.name))
        for member in edit.set {
            let operation = names.contains(member.name) ? PatchWriter.replace : PatchWriter.add
            begin(operation, place, member: member.name)
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

    init(section: Int) {
        self.section = section
    }

    init(_ item: ItemPosition) {
        section = Int(item.section)
        self.item = Int(item.index)
    }
}
