package import FeedModel

/// Writes the object `changes` (docs/READING.md, "Applying changes"): empty groups and lists
/// are left out.
extension JSONWriter {
    mutating func changes(_ changes: Changes) {
        beginObject()
        if !changes.feed.isEmpty {
            beginObject("feed")
            edit(changes.feed)
            endObject()
        }
        if changes.sectionChangeCount > 0 {
            name("sections")
            sections(changes)
        }
        if changes.itemChangeCount > 0 {
            name("items")
            items(changes)
        }
        endObject()
    }

    private mutating func sections(_ changes: Changes) {
        beginObject()
        list("remove", changes.removedSections) { $0.string($1.string) }
        list("insert", changes.insertedSections) { writer, insertion in
            writer.beginObject()
            writer.member("index", insertion.index)
            writer.beginObject("section")
            writer.sectionMembers(id: insertion.id, insertion.members, count: insertion.fullCount)
            writer.endObject()
            writer.endObject()
        }
        list("move", changes.movedSections) { writer, move in
            writer.beginObject()
            writer.member("index", move.index)
            writer.member("id", move.id.string)
            writer.endObject()
        }
        list("update", changes.updatedSections) { writer, update in
            writer.beginObject()
            writer.member("id", update.id.string)
            writer.edit(update.edit)
            if let count = update.fullCount { writer.member("count", count) }
            writer.endObject()
        }
        endObject()
    }

    private mutating func items(_ changes: Changes) {
        beginObject()
        list("remove", changes.removedItems) { $0.string($1.string) }
        list("insert", changes.insertedItems) { writer, insertion in
            writer.beginObject()
            writer.member("section", insertion.section.string)
            writer.member("index", insertion.index)
            writer.name("item")
            writer.json(insertion.item.json)
            writer.endObject()
        }
        list("move", changes.movedItems) { writer, move in
            writer.beginObject()
            writer.member("section", move.section.string)
            writer.member("index", move.index)
            writer.member("id", move.id.string)
            writer.endObject()
        }
        list("update", changes.updatedItems) { writer, update in
            writer.beginObject()
            writer.member("id", update.id.string)
            writer.edit(update.edit)
            writer.endObject()
        }
        endObject()
    }

    private mutating func edit(_ edit: Changes.MemberEdit) {
        if !edit.set.isEmpty {
            beginObject("set")
            members(edit.set)
            endObject()
        }
        if !edit.unset.isEmpty {
            name("unset")
            strings(edit.unset)
        }
    }

    /// Writes a list as a member, unless it is empty.
    package mutating func list<Element>(
        _ name: String,
        _ elements: [Element],
        _ write: (inout Self, Element) -> Void
    ) {
        guard !elements.isEmpty else { return }
        beginArray(name)
        for element in elements { write(&self, element) }
        endArray()
    }
}

extension JSONWriter {
    package mutating func member(_ name: String, _ tally: ChangeCounts.Tally) {
        beginObject(name)
        member("inserted", tally.inserted)
        member("removed", tally.removed)
        member("moved", tally.moved)
        member("updated", tally.updated)
        endObject()
    }
}

extension JSONWriter {
    /// Writes a JSON Pointer (RFC 6901) into the document of a PUT: to a section or an item, or to
    /// a member of a section, an item or the feed.
    mutating func pointer(_ place: PatchPlace?, member: ExactString? = nil) {
        buffer.append(UInt8(ascii: "\""))
        if let place {
            buffer.append(contentsOf: Self.sections)
            digits(place.section)
            if let item = place.item {
                buffer.append(contentsOf: Self.items)
                digits(item)
            }
        }
        if let member { append(token: member) }
        buffer.append(UInt8(ascii: "\""))
        buffer.append(UInt8(ascii: ","))
    }

    private static let sections = Array("/sections/".utf8)
    private static let items = Array("/items/".utf8)

    /// Writes a name as a reference token of a pointer (RFC 6901 §3).
    private mutating func append(token name: ExactString) {
        buffer.append(UInt8(ascii: "/"))
        let start = buffer.count
        buffer.append(jsonString: String(name.pointerToken))
        // The quotes are removed, because the token is a part of the pointer.
        buffer.remove(at: start)
        buffer.removeLast()
    }
}
