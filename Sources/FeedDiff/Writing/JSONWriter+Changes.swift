import FeedModel

/// Writing of the object `changes` (docs/READING.md, "Applying changes"): empty groups and lists
/// are left out.
extension JSONWriter {
    mutating func changes(_ changes: Changes) {
        beginObject()
        if !changes.feed.isEmpty {
            name("feed")
            beginObject()
            edit(changes.feed)
            endObject()
        }
        if changes.hasSections {
            name("sections")
            sections(changes)
        }
        if changes.hasItems {
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
            writer.name("section")
            writer.beginObject()
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
        // The text up to the index is equal for all moves to a section.
        var head: (section: ExactString, bytes: [UInt8])?
        list("move", changes.movedItems) { writer, move in
            if head?.section != move.section {
                var beginning = JSONWriter()
                beginning.beginObject()
                beginning.member("section", move.section.string)
                head = (move.section, beginning.finish() + Array(",".utf8))
            }
            if let head { writer.part(head.bytes) }
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
            name("set")
            beginObject()
            members(edit.set)
            endObject()
        }
        if !edit.unset.isEmpty {
            name("unset")
            strings(edit.unset)
        }
    }

    private mutating func list<Element>(
        _ name: String,
        _ elements: [Element],
        _ write: (inout Self, Element) -> Void
    ) {
        guard !elements.isEmpty else { return }
        self.name(name)
        beginArray()
        for element in elements { write(&self, element) }
        endArray()
    }
}

extension Changes {
    fileprivate var hasSections: Bool {
        !removedSections.isEmpty || !insertedSections.isEmpty || !movedSections.isEmpty
            || !updatedSections.isEmpty
    }

    fileprivate var hasItems: Bool {
        !removedItems.isEmpty || !insertedItems.isEmpty || !movedItems.isEmpty
            || !updatedItems.isEmpty
    }
}
