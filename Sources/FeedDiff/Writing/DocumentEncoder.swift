package import FeedModel

/// Encodes the protocol's documents (docs/PROTOCOL.md, "Reading") as compact JSON in UTF-8.
package struct DocumentEncoder {
    /// The feed of the documents.
    package let feed: FeedName

    /// Makes an encoder for a feed.
    package init(feed: FeedName) {
        self.feed = feed
    }

    /// Returns the document `snapshot`.
    ///
    /// - Parameter reason: The reason why a client that asked for changes gets a snapshot; `nil`:
    ///   none.
    package func snapshot(
        _ viewed: ViewedSnapshot,
        token: Token,
        reason: String? = nil
    ) -> [UInt8] {
        var writer = JSONWriter(capacity: viewed.encodedByteBound)
        write(viewed, Head(token: token, reason: reason), to: &writer)
        return writer.finish()
    }

    /// The server's additions to a feed's document.
    private struct Head {
        let token: Token
        var reason: String?
    }

    /// Writes the feed's members and `sections`.
    ///
    /// - Parameter head: The additions of the document `snapshot`; `nil`: the document is that of a
    ///   PUT.
    private func write(_ viewed: ViewedSnapshot, _ head: Head?, to writer: inout JSONWriter) {
        writer.beginObject()
        if let head {
            begin(&writer, kind: "snapshot")
            writer.member("token", head.token.description)
            if let reason = head.reason { writer.member("reason", reason) }
        }
        writer.members(viewed.base.members.list)
        if head != nil { writer.checks(of: viewed) }
        writer.beginArray("sections")
        writer.sections(of: viewed, hasCounts: head != nil)
        writer.endArray()
        writer.endObject()
    }

    /// Returns the document `changes`.
    ///
    /// - Parameter now: The version that the changes lead to, in the view that they were made for.
    package func changes(
        _ changes: Changes,
        since: Token,
        token: Token,
        now: ViewedSnapshot
    ) -> [UInt8] {
        var writer = JSONWriter(capacity: changes.encodedByteBound)
        writer.beginObject()
        begin(&writer, kind: "changes")
        writer.member("since", since.description)
        writer.member("token", token.description)
        writer.checks(of: now)
        writer.name("changes")
        writer.changes(changes)
        writer.endObject()
        return writer.finish()
    }

    /// Returns the document `unchanged`.
    package func unchanged(token: Token, now: ViewedSnapshot) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        begin(&writer, kind: "unchanged")
        writer.member("token", token.description)
        writer.checks(of: now)
        writer.endObject()
        return writer.finish()
    }

    /// Returns the document `missing` for a name that a client asked for, perhaps no valid one.
    package static func missing(_ feed: String) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("kind", "missing")
        writer.member("feed", feed)
        writer.endObject()
        return writer.finish()
    }

    /// Returns the object `changes` alone.
    package func object(_ changes: Changes) -> [UInt8] {
        var writer = JSONWriter(capacity: changes.encodedByteBound)
        writer.changes(changes)
        return writer.finish()
    }

    /// Returns a section's members as an object: `id` first, `count` if given, and no items.
    package func section(_ section: FeedSection, count: Int?) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.sectionMembers(id: section.id, section.members, count: count)
        writer.endObject()
        return writer.finish()
    }

    /// Returns the document of a PUT: the feed's members and `sections`, without the server's
    /// additions.
    package func document(_ viewed: ViewedSnapshot) -> [UInt8] {
        var writer = JSONWriter(capacity: viewed.encodedByteBound)
        write(viewed, nil, to: &writer)
        return writer.finish()
    }

    private func begin(_ writer: inout JSONWriter, kind: String) {
        writer.member("kind", kind)
        writer.member("feed", feed.rawValue)
    }
}

extension JSONWriter {
    /// Writes the member `items` of a document of rows (docs/PROTOCOL.md, "Rows on demand").
    package mutating func rows(
        _ rows: some Sequence<(section: ExactString, index: Int, item: FeedItem)>
    ) {
        beginArray("items")
        for row in rows {
            beginObject()
            member("in", row.section.string)
            member("index", row.index)
            member("item", json: row.item.json.bytes)
            endObject()
        }
        endArray()
    }

    /// Writes `count` and `order`, and `total` for a view.
    fileprivate mutating func checks(of viewed: ViewedSnapshot) {
        member("count", viewed.count)
        member("order", viewed.order.hexadecimal)
        if let total = viewed.total { member("total", total) }
    }

    /// Writes the members of an object for a section.
    mutating func sectionMembers(id: ExactString, _ members: Members, count: Int?) {
        member("id", id.string)
        self.members(members.list)
        if let count { member("count", count) }
    }

    /// Writes a section up to its items.
    mutating func beginSection(id: ExactString, _ members: Members, count: Int?) {
        beginObject()
        sectionMembers(id: id, members, count: count)
        beginArray("items")
    }

    mutating func endSection() {
        endArray()
        endObject()
    }

    /// Writes the sections that a view lists with their shown items and, if `hasCounts`, their full
    /// numbers of items.
    fileprivate mutating func sections(of viewed: ViewedSnapshot, hasCounts: Bool) {
        var position = 0
        viewed.base.list.tree.forEachLeaf { sections in
            // The properties are read one by one, because a whole section would be copied.
            let sections = sections.span
            for index in sections.indices {
                let items = sections[index].element.items
                let count = viewed.fullCount(items, at: position) ?? items.count
                beginSection(
                    id: sections[index].element.id,
                    sections[index].element.members,
                    count: hasCounts ? count : nil
                )
                viewed.end.part(of: items, at: position).forEachItem { json($0.json) }
                endSection()
                position += 1
            }
        }
    }
}

extension ViewedSnapshot {
    /// The approximate number of bytes of the document; long members of sections are not counted.
    fileprivate var encodedByteBound: Int {
        512 + base.members.memoryByteCount + itemByteCount + count + 64 * base.list.count
    }
}

extension Changes {
    /// The approximate number of bytes of the document.
    fileprivate var encodedByteBound: Int {
        var bound = 512 + 32 * (removedItems.count + updatedItems.count)
        bound += 64 * (insertedItems.count + movedItems.count)
        return insertedItems.reduce(bound) { $0 + $1.item.json.bytes.count }
    }
}

extension DocumentEncoder {
    /// Returns the RFC 6902 patch between two documents of ``document(_:)``; `[]` if they are
    /// equal.
    ///
    /// - Returns: A patch; if `old` is `nil`, or the patch would be longer than the document, a
    ///   single `replace` of the path `""`.
    package func patch(
        from old: ViewedSnapshot?,
        to new: ViewedSnapshot,
        atAnyLength: Bool = false
    ) -> [UInt8] {
        guard let old else { return replacement(document(new)) }
        let changes = Changes(from: old, to: new)
        func write(byteLimit: Int) -> [UInt8]? {
            PatchWriter.patch(changes, from: old, to: new, byteLimit: byteLimit)
        }
        // The items are shorter than the document, so most patches need not be compared with it.
        let limit = atAnyLength ? Int.max : new.itemByteCount
        if let patch = write(byteLimit: limit) { return patch }
        let document = document(new)
        return write(byteLimit: document.count) ?? replacement(document)
    }

    private func replacement(_ document: [UInt8]) -> [UInt8] {
        Array("[{\"op\":\"replace\",\"path\":\"\",\"value\":".utf8) + document + Array("}]".utf8)
    }
}
