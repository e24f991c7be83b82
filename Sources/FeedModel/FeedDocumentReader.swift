/// Reads the document of a `PUT` in one pass: every value is checked, hashed and kept as it is
/// met (docs/PROTOCOL.md, "Publishing").
struct FeedDocumentReader {
    private var reader = JSONReader(depthLimit: 64)
    private let names = JSONReader.ItemNames()
    private let itemLimit: Int
    /// Whether it comes from a server, which has collated what is to be.
    private let isServed: Bool
    private var known: KnownItems?
    private var itemCount = 0
    private var itemIDs = TokenTable()
    private var sectionIDs = TokenTable()

    /// The feed's own members so far.
    private var members: [Member] = []
    private var sections: [FeedSection]?
    private var items: [FeedItem]?
    private var collate: FeedDocument.Collate?

    init(itemLimit: Int, known: Snapshot? = nil, isServed: Bool = false) {
        self.itemLimit = itemLimit
        self.known = known.map { KnownItems(of: $0) }
        self.isServed = isServed
    }

    /// Reads all of `bytes`; once for each reader.
    mutating func document(in bytes: [UInt8]) throws(JSONFault) -> FeedDocument {
        let source = bytes.span
        try reader.begin(source)
        let start = reader.index
        var object = try reader.openObject(in: source, depth: 0)
        while object.isOpen {
            let name = try reader.memberName(in: source, of: &object)
            try feedMember(name, in: bytes)
            try reader.closeMember(in: source, of: &object)
        }
        try reader.end(source)
        guard let sections = allSections() else {
            throw JSONFault(offset: start, problem: .refused("has neither sections nor items"))
        }
        let snapshot = Snapshot(members: Members(members), sections: sections)
        return FeedDocument(snapshot: snapshot, collate: collate)
    }

    private func allSections() -> [FeedSection]? {
        if let items { return [FeedSection(id: "main", items: items)] }
        guard collate != nil, !isServed else { return sections }
        return sections.map { [FeedSection(id: "main", items: $0.flatMap(\.items))] }
    }

    private mutating func feedMember(
        _ token: StringToken,
        in bytes: [UInt8]
    ) throws(JSONFault) {
        let name = ExactString(token.string(in: bytes))
        switch name {
        case "sections", "items":
            guard sections == nil, items == nil else {
                throw JSONFault(
                    offset: token.offset,
                    problem: .refused("a document has sections or items, not both")
                )
            }
            if name == "items" {
                items = try readItems(in: bytes)
            } else {
                sections = try readSections(in: bytes)
            }
        case "title": try keepString(name, in: bytes)
        case "maxAge": try keepWholeNumber(name, in: bytes)
        case "collate": try keepCollate(name, in: bytes)
        default:
            let value = try reader.text(in: bytes)
            guard !ReservedMembers.feed.contains(name) else { return }
            members.append(Member(name: name, value: value))
        }
    }
}

extension FeedDocumentReader {
    private mutating func keepString(_ name: ExactString, in bytes: [UInt8]) throws(JSONFault) {
        try reader.expectString(in: bytes.span)
        members.append(Member(name: name, value: try reader.text(in: bytes)))
    }

    private mutating func keepWholeNumber(_ name: ExactString, in bytes: [UInt8]) throws(JSONFault)
    {
        let start = reader.index
        let value = try reader.text(in: bytes)
        guard value.wholeNumber != nil else {
            throw JSONFault(
                offset: start,
                problem: .refused("must be a whole number from 0, in digits")
            )
        }
        members.append(Member(name: name, value: value))
    }

    private mutating func keepCollate(_ name: ExactString, in bytes: [UInt8]) throws(JSONFault) {
        let start = reader.index
        let value = try reader.text(in: bytes)
        let end = reader.index
        reader.index = start
        collate = try readCollate(in: bytes)
        assert(reader.index == end)
        members.append(Member(name: name, value: value))
    }

    private mutating func readCollate(
        in bytes: [UInt8]
    ) throws(JSONFault) -> FeedDocument.Collate {
        let source = bytes.span
        let start = reader.index
        var by: ExactString?
        var locale: String?
        var object = try reader.openObject(in: source, depth: 1)
        while object.isOpen {
            let token = try reader.memberName(in: source, of: &object)
            let name = ExactString(token.string(in: bytes))
            guard name == "by" || name == "locale" else {
                throw JSONFault(
                    offset: token.offset,
                    problem: .refused("collate has by and locale alone")
                )
            }
            try reader.expectString(in: source)
            let value = try reader.string(in: source).string(in: bytes)
            if name == "by" { by = ExactString(value) } else { locale = value }
            try reader.closeMember(in: source, of: &object)
        }
        guard let by else { throw JSONFault(offset: start, problem: .missing("by")) }
        guard let locale else { throw JSONFault(offset: start, problem: .missing("locale")) }
        return FeedDocument.Collate(by: by, locale: locale)
    }
}

extension FeedDocumentReader {
    private mutating func readSections(in bytes: [UInt8]) throws(JSONFault) -> [FeedSection] {
        var sections: [FeedSection] = []
        var isOpen = try reader.openArray(in: bytes.span, depth: 0)
        while isOpen {
            sections.append(try readSection(in: bytes))
            isOpen = try reader.closeElement(in: bytes.span)
        }
        return sections
    }

    private mutating func readSection(in bytes: [UInt8]) throws(JSONFault) -> FeedSection {
        let source = bytes.span
        let start = reader.index
        var id: StringToken?
        var members: [Member] = []
        var items: [FeedItem] = []
        var object = try reader.openObject(in: source, depth: 0)
        while object.isOpen {
            let name = ExactString(try reader.memberName(in: source, of: &object).string(in: bytes))
            switch name {
            case "id":
                let token = try reader.id(in: source)
                try check(token, isNewAmong: &sectionIDs, in: source)
                id = token
            case "items": items = try readItems(in: bytes)
            case "count": _ = try reader.text(in: bytes)
            default:
                if name == "title" || name == "index" { try reader.expectString(in: source) }
                members.append(Member(name: name, value: try reader.text(in: bytes)))
            }
            try reader.closeMember(in: source, of: &object)
        }
        guard let id else { throw JSONFault(offset: start, problem: .missing("id")) }
        return FeedSection(
            id: ExactString(id.string(in: bytes)),
            members: Members(members),
            items: items
        )
    }

    private mutating func readItems(in bytes: [UInt8]) throws(JSONFault) -> [FeedItem] {
        let source = bytes.span
        var items: [FeedItem] = []
        var isOpen = try reader.openArray(in: source, depth: 0)
        while isOpen {
            guard itemCount < itemLimit else {
                throw JSONFault(
                    offset: reader.index,
                    problem: .tooManyItems(limit: itemLimit)
                )
            }
            itemCount += 1
            let (item, id) = try reader.item(in: bytes, names: names, known: &known)
            try check(id, isNewAmong: &itemIDs, in: source)
            items.append(item)
            isOpen = try reader.closeElement(in: source)
        }
        return items
    }

    private func check(
        _ id: StringToken,
        isNewAmong ids: inout TokenTable,
        in source: Span<UInt8>
    ) throws(JSONFault) {
        if let first = ids.insert(id, in: source) {
            throw JSONFault(offset: id.offset, problem: .duplicateID(first: first.offset))
        }
    }
}
