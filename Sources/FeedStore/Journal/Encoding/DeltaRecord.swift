package import FeedModel

/// The record of a version in a journal: the changes from the version before, which rebuild the
/// version byte for byte, and perhaps the version's details.
///
/// The changes are those of the protocol (docs/READING.md, "Applying changes"), except that updated
/// members and items are stored whole. Members thus keep their order, and values their spelling.
/// Each list is preceded by its length. A section's id that equals the last id written is encoded
/// as an empty text.
package struct DeltaRecord {
    /// The first byte of the changes, which names the version of their encoding.
    ///
    /// A record with another byte has an encoding that this server does not know.
    private static let formatByte: UInt8 = 1

    /// The first byte of a record with details; the details follow, then the changes.
    private static let detailedFormatByte: UInt8 = 2

    /// The version's details; unknown if the record has none.
    private var details = VersionDetails()
    /// The feed's own members after the changes; `nil`: they did not change.
    private var feed: Members?
    /// The removals, moves and insertions.
    private var changes = Changes()
    private let updatedSections: [(id: ExactString, members: Members)]
    private let updatedItems: [FeedItem]
    /// The number of items in the version.
    private let count: Int
    /// The checksum of the items' order in the version (``FeedModel/Snapshot/order``).
    private let order: UInt32
}

/// Writes records.
extension DeltaRecord {
    /// Makes the record of a version.
    ///
    /// - Parameter new: The version, with an index of its ids.
    package static func bytes(
        _ changes: Changes,
        to new: Snapshot,
        details: VersionDetails? = nil
    ) -> [UInt8] {
        var writer = ByteWriter(capacity: 256)
        if let details {
            writer.byte(detailedFormatByte)
            writer.details(details)
        }
        writer.byte(formatByte)
        writer.number(new.count)
        writer.number(Int(new.order))
        writer.byte(changes.feed.isEmpty ? 0 : 1)
        if !changes.feed.isEmpty { writer.members(new.members) }
        writer.sections(of: changes, in: new)
        writer.items(of: changes, in: new)
        return writer.bytes
    }
}

extension ByteWriter {
    /// Appends the changes of sections; the members of updated ones are those of the version.
    fileprivate mutating func sections(of changes: Changes, in new: Snapshot) {
        list(changes.removedSections) { $0.text($1.string) }
        list(changes.movedSections) { writer, move in
            writer.number(move.index)
            writer.text(move.id.string)
        }
        list(changes.insertedSections) { writer, insertion in
            writer.number(insertion.index)
            writer.text(insertion.id.string)
            writer.members(insertion.members)
        }
        let updated = changes.updatedSections.compactMap { update in
            new.position(ofSection: update.id).map { new.sections[$0] }
        }
        list(updated) { writer, section in
            writer.text(section.id.string)
            writer.members(section.members)
        }
    }

    /// Appends the changes of items; updated ones are whole, as in the version.
    fileprivate mutating func items(of changes: Changes, in new: Snapshot) {
        list(changes.removedItems) { $0.text($1.string) }
        var section: ExactString = ""
        list(changes.movedItems) { writer, move in
            writer.section(move.section, after: &section)
            writer.number(move.index)
            writer.text(move.id.string)
        }
        list(changes.insertedItems) { writer, insertion in
            writer.section(insertion.section, after: &section)
            writer.number(insertion.index)
            writer.block(insertion.item.json.bytes)
        }
        list(changes.updatedItems.compactMap { new.item($0.id) }) { $0.block($1.json.bytes) }
    }
}

/// Reads records.
extension DeltaRecord {
    /// Reads a record, and fails when it is damaged, or has a later encoding.
    private init(_ record: [UInt8]) throws {
        var reader = ByteReader(record)
        var format = try reader.byte()
        if format == DeltaRecord.detailedFormatByte {
            details = try reader.details()
            format = try reader.byte()
        }
        guard format == DeltaRecord.formatByte else { throw ByteReader.Failure() }
        count = try reader.number()
        order = UInt32(truncatingIfNeeded: try reader.number())
        if try reader.byte() == 1 { feed = try reader.members() }
        changes.removedSections = try reader.list { ExactString(try $0.text()) }
        changes.movedSections = try reader.list { reader in
            Changes.SectionMove(index: try reader.number(), id: ExactString(try reader.text()))
        }
        changes.insertedSections = try reader.list { reader in
            Changes.SectionInsertion(
                index: try reader.number(),
                id: ExactString(try reader.text()),
                members: try reader.members()
            )
        }
        updatedSections = try reader.list { reader in
            (ExactString(try reader.text()), try reader.members())
        }
        changes.removedItems = try reader.list { ExactString(try $0.text()) }
        var section: ExactString = ""
        changes.movedItems = try reader.list { reader in
            Changes.ItemMove(
                section: try reader.section(after: &section),
                index: try reader.number(),
                id: ExactString(try reader.text())
            )
        }
        changes.insertedItems = try reader.list { reader in
            Changes.ItemInsertion(
                section: try reader.section(after: &section),
                index: try reader.number(),
                item: try FeedItem(parsing: try reader.block())
            )
        }
        updatedItems = try reader.list { try FeedItem(parsing: try $0.block()) }
        guard reader.isAtEnd else { throw ByteReader.Failure() }
    }

    /// Applies a record to the version before it, and returns the record's version, with an index
    /// of its ids, and the details in the record.
    ///
    /// - Parameter published: The time at which the record's version was published, in seconds
    ///   since 1970.
    /// - Throws: An error if the record is damaged, or does not fit the version before.
    package static func apply(
        _ record: [UInt8],
        to snapshot: Snapshot,
        published: Double
    ) throws -> (snapshot: Snapshot, details: VersionDetails) {
        guard StoredNumber.times.contains(published) else { throw ByteReader.Failure() }
        let record = try DeltaRecord(record)
        let next = try record.applied(to: snapshot, at: UInt32(clamping: Int(published)))
        guard next.count == record.count, next.order == record.order else {
            throw ByteReader.Failure()
        }
        return (next, record.details)
    }

    /// Returns the version that follows `snapshot`.
    ///
    /// `Snapshot` applies removals, moves and insertions; updates replace whole items and members
    /// here.
    ///
    /// - Parameter time: The time for new and changed items, in seconds since 1970.
    /// - Throws: An error if the record names an id that does not exist.
    private func applied(to snapshot: Snapshot, at time: UInt32) throws -> Snapshot {
        var next = try snapshot.applying(changes)
        if let feed { next.members = feed }
        for update in updatedSections {
            let position = try next.position(ofSection: update.id).orThrow()
            next.setMembers(update.members, ofSection: position)
        }
        for insertion in changes.insertedItems {
            insertion.item.setSeen(first: time, changed: time)
        }
        for item in updatedItems {
            let position = try next.position(ofItem: item.id).orThrow()
            item.setSeen(first: next.sections[position].seen.first, changed: time)
            next.replaceItem(at: position, with: item)
        }
        return next
    }
}

extension Optional {
    /// Returns the value; throws if there is none, because the record is then damaged.
    fileprivate func orThrow() throws -> Wrapped {
        guard let self else { throw ByteReader.Failure() }
        return self
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
