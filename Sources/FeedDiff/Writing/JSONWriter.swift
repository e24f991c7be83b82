package import FeedModel

/// Writes compact JSON (RFC 8259) in UTF-8 to the end of one array.
///
/// Every value is followed by a comma, which the closing bracket of its object or array replaces.
package struct JSONWriter {
    private var buffer: [UInt8] = []

    /// Makes a writer with room for `capacity` bytes.
    package init(capacity: Int = 256) {
        buffer.reserveCapacity(capacity)
    }

    /// Returns the written bytes without the last comma, and empties the writer.
    package mutating func finish() -> [UInt8] {
        if buffer.last == UInt8(ascii: ",") { buffer.removeLast() }
        // The buffer is swapped out, since a second reference to it would cause a copy.
        var document: [UInt8] = []
        swap(&document, &buffer)
        return document
    }

    /// The number of bytes so far.
    var count: Int { buffer.count }

    package mutating func beginObject() {
        buffer.append(UInt8(ascii: "{"))
    }

    package mutating func endObject() {
        end(UInt8(ascii: "}"))
    }

    package mutating func beginArray() {
        buffer.append(UInt8(ascii: "["))
    }

    package mutating func endArray() {
        end(UInt8(ascii: "]"))
    }

    /// Writes the name of a member; its value must follow.
    package mutating func name(_ name: String) {
        buffer.append(jsonString: name)
        buffer.append(UInt8(ascii: ":"))
    }

    package mutating func string(_ string: String) {
        buffer.append(jsonString: string)
        buffer.append(UInt8(ascii: ","))
    }

    package mutating func number(_ number: Int) {
        append(number)
        buffer.append(UInt8(ascii: ","))
    }

    package mutating func json(_ json: JSONText) {
        self.json(json.bytes)
    }

    /// Writes the digits of a number.
    private mutating func append(_ number: Int) {
        guard number >= 0 else {
            buffer.append(contentsOf: String(number).utf8)
            return
        }
        if number >= 10 { append(number / 10) }
        buffer.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number % 10))
    }

    private mutating func end(_ bracket: UInt8) {
        if buffer.last == UInt8(ascii: ",") {
            buffer[buffer.count - 1] = bracket
        } else {
            buffer.append(bracket)
        }
        buffer.append(UInt8(ascii: ","))
    }
}

extension JSONWriter {
    /// Writes a part of a document that was already encoded.
    mutating func part(_ bytes: [UInt8]) {
        buffer.append(contentsOf: bytes)
    }

    /// Writes a JSON Pointer (RFC 6901) into the document of a PUT: to a section or an item, or to
    /// a member of a section, an item or the feed.
    mutating func pointer(_ place: PatchPlace?, member: ExactString? = nil) {
        buffer.append(UInt8(ascii: "\""))
        if let place {
            buffer.append(contentsOf: Self.sections)
            append(place.section)
            if let item = place.item {
                buffer.append(contentsOf: Self.items)
                append(item)
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

extension JSONWriter {
    package mutating func member(_ name: String, _ value: String) {
        self.name(name)
        string(value)
    }

    package mutating func member(_ name: String, _ value: Int) {
        self.name(name)
        number(value)
    }

    package mutating func member(_ name: String, _ tally: ChangeCounts.Tally) {
        beginObject(name)
        member("inserted", tally.inserted)
        member("removed", tally.removed)
        member("moved", tally.moved)
        member("updated", tally.updated)
        endObject()
    }

    package mutating func members(_ members: [Member]) {
        for member in members {
            name(member.name.string)
            json(member.value)
        }
    }

    /// Writes an array of strings.
    package mutating func strings(_ strings: [ExactString]) {
        beginArray()
        for string in strings { self.string(string.string) }
        endArray()
    }
}

/// Writes members whose value is a container, or JSON already.
extension JSONWriter {
    /// Begins an object that is the value of a member.
    package mutating func beginObject(_ name: String) {
        self.name(name)
        beginObject()
    }

    /// Begins an array that is the value of a member.
    package mutating func beginArray(_ name: String) {
        self.name(name)
        beginArray()
    }

    package mutating func member(_ name: String, _ value: Bool) {
        self.name(name)
        json(Array("\(value)".utf8))
    }

    package mutating func member(_ name: String, json value: [UInt8]) {
        self.name(name)
        json(value)
    }

    /// Writes a value that is already JSON.
    package mutating func json(_ bytes: [UInt8]) {
        buffer.append(contentsOf: bytes)
        buffer.append(UInt8(ascii: ","))
    }
}

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
