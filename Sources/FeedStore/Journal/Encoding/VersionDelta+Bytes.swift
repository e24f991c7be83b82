import FeedModel

/// The encoding of a delta: the properties in order, each list with its length before it.
///
/// A section's id that equals the one written before is encoded as an empty text.
extension VersionDelta {
    var bytes: [UInt8] {
        var writer = ByteWriter(capacity: 256)
        writer.byte(VersionDelta.form)
        writer.number(count)
        writer.number(Int(order))
        writer.byte(feed == nil ? 0 : 1)
        if let feed { writer.members(feed) }
        writer.list(removedSections) { $0.text($1.string) }
        writer.list(movedSections) { writer, move in
            writer.number(move.index)
            writer.text(move.id.string)
        }
        writer.list(insertedSections) { writer, insertion in
            writer.number(insertion.index)
            writer.text(insertion.id.string)
            writer.members(insertion.members)
        }
        writer.list(updatedSections) { writer, update in
            writer.text(update.id.string)
            writer.members(update.members)
        }
        writer.list(removedItems) { $0.text($1.string) }
        var section: ExactString = ""
        writer.list(movedItems) { writer, move in
            writer.section(move.section, after: &section)
            writer.number(move.index)
            writer.text(move.id.string)
        }
        writer.list(insertedItems) { writer, insertion in
            writer.section(insertion.section, after: &section)
            writer.number(insertion.index)
            writer.block(insertion.item.json.bytes)
        }
        writer.list(updatedItems) { $0.block($1.json.bytes) }
        return writer.bytes
    }

    /// Reads a record.
    ///
    /// - Throws: An error when the record is damaged, or of a later form.
    init(_ bytes: [UInt8]) throws {
        var reader = ByteReader(bytes)
        guard try reader.byte() == VersionDelta.form else { throw ByteReader.Failure() }
        count = try reader.number()
        order = UInt32(truncatingIfNeeded: try reader.number())
        if try reader.byte() == 1 { feed = try reader.members() }
        removedSections = try reader.list { ExactString(try $0.text()) }
        movedSections = try reader.list { reader in
            Changes.SectionMove(index: try reader.number(), id: ExactString(try reader.text()))
        }
        insertedSections = try reader.list { reader in
            Changes.SectionInsertion(
                index: try reader.number(),
                id: ExactString(try reader.text()),
                members: try reader.members()
            )
        }
        updatedSections = try reader.list { reader in
            (ExactString(try reader.text()), try reader.members())
        }
        removedItems = try reader.list { ExactString(try $0.text()) }
        var section: ExactString = ""
        movedItems = try reader.list { reader in
            Changes.ItemMove(
                section: try reader.section(after: &section),
                index: try reader.number(),
                id: ExactString(try reader.text())
            )
        }
        insertedItems = try reader.list { reader in
            Changes.ItemInsertion(
                section: try reader.section(after: &section),
                index: try reader.number(),
                item: try FeedItem(parsing: try reader.block())
            )
        }
        updatedItems = try reader.list { try FeedItem(parsing: try $0.block()) }
        guard reader.isAtEnd else { throw ByteReader.Failure() }
    }
}

extension ByteWriter {
    /// Writes members in order, with their values as spelled.
    mutating func members(_ members: Members) {
        list(members.list) { writer, member in
            writer.text(member.name.string)
            writer.block(member.value.bytes)
        }
    }

    fileprivate mutating func list<Element>(
        _ elements: [Element],
        _ write: (inout ByteWriter, Element) -> Void
    ) {
        number(elements.count)
        for element in elements { write(&self, element) }
    }

    fileprivate mutating func section(_ id: ExactString, after last: inout ExactString) {
        text(id == last ? "" : id.string)
        last = id
    }
}

extension ByteReader {
    /// Reads members.
    mutating func members() throws -> Members {
        Members(
            try list { reader in
                Member(
                    name: ExactString(try reader.text()),
                    value: try JSONText(parsing: try reader.block())
                )
            }
        )
    }

    fileprivate mutating func list<Element>(
        _ read: (inout ByteReader) throws -> Element
    ) throws -> [Element] {
        let count = try number()
        var elements: [Element] = []
        // A damaged number must not reserve all memory.
        elements.reserveCapacity(min(count, 4096))
        for _ in 0..<count { elements.append(try read(&self)) }
        return elements
    }

    fileprivate mutating func section(after last: inout ExactString) throws -> ExactString {
        let text = try text()
        if !text.isEmpty { last = ExactString(text) }
        return last
    }
}
