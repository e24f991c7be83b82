/// Parses the document of a whole feed in one pass that validates, hashes and copies every value
/// (docs/PUBLISHING.md, "The requests", and docs/READING.md, "The snapshot").
struct SnapshotReader {
    /// The most nested objects and arrays of an item, or of a member of the feed or a section.
    private static let depthLimit = 64

    private let itemLimit: Int
    private var known: KnownItems?
    private var itemIDs = TokenTable()
    private var sectionIDs = TokenTable()

    private var members: [Member] = []
    /// The sections, or the one of a document with `items` alone; `nil` until that member is read.
    private var sections: [FeedSection]?
    /// The members `count` of the sections, by the sections' ids.
    private(set) var counts: [ExactString: Int] = [:]
    /// The members that belong to the protocol, such as `token`, of a served document.
    private(set) var ownMembers: [JSONValue.Entry] = []
    private let isServed: Bool

    /// Makes a reader of a publisher's document, or of a served one.
    ///
    /// Items that are equal byte for byte to those of `known`, an earlier version, are shared with
    /// it.
    init(itemLimit: Int, known: Snapshot? = nil, isServed: Bool = false) {
        self.itemLimit = itemLimit
        self.known = known.map(KnownItems.init)
        self.isServed = isServed
    }

    /// Makes a reader that has read a served snapshot.
    init(served bytes: [UInt8]) throws(DocumentError) {
        self.init(itemLimit: .max, isServed: true)
        try read(bytes)
    }

    /// Reads `bytes` as a document about a feed; may be called only once for each reader.
    mutating func read(_ bytes: [UInt8]) throws(DocumentError) {
        try JSONReader.read(bytes, depth: Self.depthLimit) { reader, bytes throws(JSONFault) in
            let (source, start) = (bytes.span, reader.index)
            var object = try reader.openObject(in: source, depth: 0)
            while let name = try reader.nextMember(in: source, of: &object) {
                try readMember(name, &reader, in: bytes)
                try check(members, ofObjectAt: start)
            }
            guard sections != nil else {
                throw JSONFault(offset: start, problem: .refused("has neither sections nor items"))
            }
        }
    }

    /// Parses `bytes` as an array of items; may be called only once for each reader.
    mutating func items(in bytes: [UInt8]) throws(DocumentError) -> [FeedItem] {
        try JSONReader.read(bytes, depth: Self.depthLimit) { reader, bytes throws(JSONFault) in
            try readItems(&reader, bytes)
        }
    }

    /// The snapshot in the document that was read.
    var snapshot: Snapshot { Snapshot(members: Members(members), sections: sections ?? []) }

    private mutating func readMember(
        _ token: StringToken,
        _ reader: inout JSONReader,
        in bytes: ArraySlice<UInt8>
    ) throws(JSONFault) {
        let name = ExactString(token.string(in: bytes))
        switch name {
        case "sections", "items":
            guard sections == nil else {
                throw JSONFault(
                    offset: reader.index,
                    problem: .refused("a document has sections or items, not both")
                )
            }
            if name == "items" {
                let items = try readItems(&reader, bytes)
                sections = [FeedSection(id: "main", items: items)]
            } else {
                sections = try readSections(&reader, bytes)
            }
        case _ where isServed && MemberRules.feed.reserved.contains(name):
            ownMembers.append(JSONValue.Entry(name: name, value: try reader.tree(in: bytes)))
        default:
            let start = reader.index
            if MemberRules.feed.isText(name) { try reader.expectString(in: bytes.span) }
            let value = try reader.text(in: bytes)
            if MemberRules.feed.isNumber(name), !value.isWholeNumber {
                let problem = JSONFault.Problem.refused("must be a whole number from 0, in digits")
                throw JSONFault(offset: start, problem: problem)
            }
            guard !MemberRules.feed.reserved.contains(name) else { return }
            members.append(Member(name: name, value: value))
        }
    }
}

extension SnapshotReader {
    private mutating func readSections(
        _ reader: inout JSONReader,
        _ bytes: ArraySlice<UInt8>
    ) throws(JSONFault) -> [FeedSection] {
        var sections: [FeedSection] = []
        try reader.openArray(in: bytes.span, depth: 0)
        while try reader.nextElement(in: bytes.span, isFirst: sections.isEmpty) {
            sections.append(try readSection(&reader, bytes))
        }
        return sections
    }

    private mutating func readSection(
        _ reader: inout JSONReader,
        _ bytes: ArraySlice<UInt8>
    ) throws(JSONFault) -> FeedSection {
        let source = bytes.span
        let start = reader.index
        var id: StringToken?
        var members: [Member] = []
        var items: [FeedItem] = []
        var count: Int?
        var object = try reader.openObject(in: source, depth: 0)
        while let token = try reader.nextMember(in: source, of: &object) {
            let name = ExactString(token.string(in: bytes))
            switch name {
            case "id":
                let token = try reader.id(in: source)
                try Self.check(token, isNewAmong: &sectionIDs, in: source)
                id = token
            case "items": items = try readItems(&reader, bytes)
            case "count": count = try reader.text(in: bytes).wholeNumber
            default:
                if MemberRules.section.isText(name) { try reader.expectString(in: source) }
                members.append(Member(name: name, value: try reader.text(in: bytes)))
                try check(members, ofObjectAt: start)
            }
        }
        guard let id else { throw JSONFault(offset: start, problem: .missing("id")) }
        let name = ExactString(id.string(in: bytes))
        if let count { counts[name] = count }
        return FeedSection(id: name, members: Members(members), items: items)
    }

    private func check(_ members: [Member], ofObjectAt start: Int) throws(JSONFault) {
        guard members.count <= FeedItem.memberLimit else {
            throw JSONFault(offset: start, problem: .tooManyOwnMembers(limit: FeedItem.memberLimit))
        }
    }

    private mutating func readItems(
        _ reader: inout JSONReader,
        _ bytes: ArraySlice<UInt8>
    ) throws(JSONFault) -> [FeedItem] {
        let source = bytes.span
        var items: [FeedItem] = []
        try reader.openArray(in: source, depth: 0)
        while try reader.nextElement(in: source, isFirst: items.isEmpty) {
            guard itemIDs.tokens.count < itemLimit else {
                throw JSONFault(offset: reader.index, problem: .tooManyItems(limit: itemLimit))
            }
            let (item, id) = try reader.item(in: bytes, known: &known)
            try Self.check(id, isNewAmong: &itemIDs, in: source)
            items.append(item)
        }
        return items
    }

    /// Throws if an id occurred before in the document.
    ///
    /// The function is static: a copy of the reader made for a call would also hold the ids, and
    /// then all of them would be copied with each new one.
    private static func check(
        _ id: StringToken,
        isNewAmong ids: inout TokenTable,
        in source: Span<UInt8>
    ) throws(JSONFault) {
        if let first = ids.insert(id, in: source) {
            throw JSONFault(offset: id.offset, problem: .duplicateID(first: first.offset))
        }
    }
}

/// Finds items of a feed's earlier version while a new one is parsed, so that items which are equal
/// byte for byte are shared.
///
/// Items are expected in their old order. An item at another position is looked up by its id.
struct KnownItems {
    private let snapshot: Snapshot

    /// The position at which the next item is expected.
    private var section = 0
    private var index = 0
    /// The part of the list around that position, and the index at which the part begins.
    private var leaf: ContiguousArray<TreeEntry<FeedItem>> = []
    private var start = 0

    /// The number of lookups, less the number of items found at the expected position.
    private var lookUps = 0

    /// The value of ``lookUps`` from which on the versions count as having nothing in common.
    private static let lookUpLimit = 256

    /// Begins at the first item of an earlier version.
    init(of snapshot: Snapshot) {
        self.snapshot = snapshot
        enterLeaf()
    }

    /// Returns the earlier item that is likely equal to a new one: an item whose hash is equal.
    mutating func item(hash: UInt64, id: StringToken, in bytes: ArraySlice<UInt8>) -> FeedItem? {
        guard lookUps < Self.lookUpLimit else { return nil }
        if let item = expected {
            if item.json.valueHash == hash {
                lookUps = max(0, lookUps - 1)
                advance()
                return item
            }
            if id.equals(item.id, in: bytes) {
                advance()
                return nil
            }
        }
        lookUps += 1
        guard snapshot.isIndexed,
            let position = snapshot.position(ofItem: ExactString(id.string(in: bytes)))
        else { return nil }
        (section, index) = (Int(position.section), Int(position.index))
        enterLeaf()
        let item = expected
        advance()
        return item?.json.valueHash == hash ? item : nil
    }

    private var expected: FeedItem? {
        let position = index - start
        return position < leaf.count ? leaf[position].element : nil
    }

    private mutating func advance() {
        index += 1
        if index - start >= leaf.count { enterLeaf() }
    }

    /// Finds the part of the list around the next item, which may be in a later section.
    private mutating func enterLeaf() {
        while section < snapshot.list.count {
            let items = snapshot.list[section].items
            if index < items.count {
                (leaf, start) = items.tree.leaf(around: index)
                return
            }
            (section, index) = (section + 1, 0)
        }
        (leaf, start) = ([], index)
    }
}
