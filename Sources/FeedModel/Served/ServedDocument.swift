/// A server's document about a feed, as a client parses it (docs/PROTOCOL.md, "Reading").
public struct ServedDocument: Sendable {
    /// The content of a document.
    public enum Content: Sendable {
        /// The client's version is current.
        case unchanged
        /// The changes from the version `since` to the current one.
        case changes(Changes, since: Token)
        /// The feed, or the client's view of it, which replaces the client's version.
        case snapshot(Snapshot)
        /// The feed does not exist, or the client may not read it.
        case missing
        /// The document cannot be applied, for this reason; the client must fetch a snapshot.
        case unreadable(String)
    }

    /// The number and the order of the items that a client must have after applying the document.
    public struct Check: Sendable, Equatable {
        /// The number of items.
        public var count: Int
        /// The checksum of the items' order (``Snapshot/order``).
        public var order: UInt32

        /// Makes the check of a snapshot.
        public init(of snapshot: Snapshot) {
            count = snapshot.count
            order = snapshot.order
        }

        init(count: Int, order: UInt32) {
            self.count = count
            self.order = order
        }
    }

    /// The name of the feed as it was requested.
    public let feed: String

    /// The content of the document.
    public let content: Content

    /// The version that the client has after applying the document; `nil` for a missing feed.
    public private(set) var token: Token?

    /// The check that the client's result must match; `nil` for a missing feed.
    public private(set) var check: Check?

    /// The number of items of the whole feed, in a view by section or limit; `nil`: the view is the
    /// whole feed.
    public private(set) var total: Int?

    /// The numbers of items of the whole sections, by their ids, for a snapshot in a view by
    /// section or limit; otherwise empty.
    public private(set) var sectionCounts: [ExactString: Int] = [:]

    /// The reason why a snapshot was sent instead of changes.
    public private(set) var reason: String?

    /// The bytes of the document as received.
    public let json: [UInt8]

    /// The time at which the request for the document was sent; `nil`: there was no request, or the
    /// time is unknown.
    package var requested: ContinuousClock.Instant?

    /// Whether the document depends on the key of its request; `nil`: unknown.
    package var isPrivate: Bool?
}

extension ServedDocument {
    /// Makes the document that states that a feed does not exist.
    public static func missing(_ feed: FeedName) -> ServedDocument {
        ServedDocument(
            feed: feed.rawValue,
            content: .missing,
            json: Array("{\"kind\":\"missing\",\"feed\":\"\(feed)\"}".utf8)
        )
    }

    /// Parses a document of one of the kinds `snapshot`, `changes`, `unchanged` and `missing`.
    ///
    /// A malformed document becomes ``Content/unreadable(_:)`` if it names its feed and is no
    /// snapshot.
    ///
    /// - Parameter bytes: JSON in UTF-8.
    /// - Throws: ``DocumentError`` for a document that no server of this protocol sends.
    public init(parsing bytes: [UInt8]) throws {
        // A snapshot that begins with its kind, as this project's servers write it, is read in one
        // pass.
        let isSnapshot = bytes.starts(with: #"{"kind":"snapshot","#.utf8)
        let snapshot = isSnapshot ? try SnapshotReader(served: bytes) : nil
        let members =
            if let snapshot {
                JSONValue.object(snapshot.ownMembers)
            } else {
                try JSONReader.ownMembers(of: bytes)
            }
        let feed = try members.string("feed").string
        let kind = try members.string("kind").string
        do throws(DocumentError) {
            self = try ServedDocument(kind, members, of: feed, parsing: bytes, by: snapshot)
        } catch {
            guard kind != "snapshot" else { throw error }
            let reason = "\(error.path) \(error.reason)"
            self.init(feed: feed, content: .unreadable(reason), json: bytes)
        }
    }

    /// Makes a document of its members.
    ///
    /// - Parameters:
    ///   - members: The members that belong to the protocol.
    ///   - reader: The reader that has read the snapshot in the document; `nil`: none has.
    private init(
        _ kind: String,
        _ members: JSONValue,
        of feed: String,
        parsing bytes: [UInt8],
        by reader: SnapshotReader?
    ) throws(DocumentError) {
        guard kind != "missing" else {
            self.init(feed: feed, content: .missing, json: bytes)
            return
        }
        let content: Content
        var counts: [ExactString: Int] = [:]
        switch kind {
        case "unchanged": content = .unchanged
        case "changes":
            content = .changes(
                try Changes(reading: try members.needed("changes")),
                since: try members.token("since")
            )
        case "snapshot":
            let read = if let reader { reader } else { try SnapshotReader(served: bytes) }
            content = .snapshot(read.snapshot)
            counts = read.counts
        default: throw DocumentError(kind: .malformed, path: "kind", reason: "is \"\(kind)\"")
        }
        self.init(feed: feed, content: content, json: bytes)
        token = try members.token("token")
        check = Check(count: try members.neededNumber("count"), order: try members.order())
        total = try members.number("total")
        reason = members["reason"] == nil ? nil : try members.string("reason").string
        if total != nil { sectionCounts = counts }
    }

    /// Makes a document without a version.
    private init(feed: String, content: Content, json: [UInt8]) {
        self.feed = feed
        self.content = content
        self.json = json
    }

    /// Parses a `pull` document.
    ///
    /// - Parameter bytes: JSON in UTF-8.
    /// - Returns: A document for each feed, in the order in which they are listed.
    /// - Throws: ``DocumentError`` for a document that no server of this protocol sends.
    public static func pulled(parsing bytes: [UInt8]) throws -> [ServedDocument] {
        var parts: [Range<Int>] = []
        try JSONReader.forEachMember(of: bytes) { name, reader throws(JSONFault) in
            guard name == "feeds" else { return false }
            try reader.forEachMember(in: bytes[...], depth: 2) { parts.append($0.value) }
            return true
        }
        return try parts.map { try ServedDocument(parsing: Array(bytes[$0])) }
    }
}

extension JSONValue {
    fileprivate func token(_ name: ExactString) throws(DocumentError) -> Token {
        guard let token = Token(try string(name).string) else {
            throw DocumentError(kind: .malformed, path: name.string, reason: "is no token")
        }
        return token
    }

    /// Returns the checksum of the items' order, which is written as eight hexadecimal digits.
    fileprivate func order() throws(DocumentError) -> UInt32 {
        let text = try string("order").string
        // `UInt32(_:radix:)` would accept a sign.
        guard let order = UInt32(text, radix: 16), order.hexadecimal == text.lowercased() else {
            throw DocumentError(kind: .malformed, path: "order", reason: "is no check")
        }
        return order
    }
}

extension JSONReader {
    /// The most nested objects and arrays of a served document: enough for items and the levels
    /// around them.
    fileprivate static let servedDepthLimit = 80

    /// Reads the members of a served document that belong to the protocol, whatever else is in it.
    fileprivate static func ownMembers(of bytes: [UInt8]) throws(DocumentError) -> JSONValue {
        let content: Set<ExactString> = ["sections", "items"]
        let names = MemberRules.feed.reserved.subtracting(content)
        var members: [JSONValue.Entry] = []
        try forEachMember(of: bytes) { name, reader throws(JSONFault) in
            guard names.contains(name) else { return false }
            let value = try reader.tree(in: bytes[...], depth: 1)
            members.append(JSONValue.Entry(name: name, value: value))
            return true
        }
        return .object(members)
    }

    /// Reads a served document, an object.
    ///
    /// - Parameter read: Called at each member's value; returns whether it has read the value,
    ///   which is otherwise skipped.
    fileprivate static func forEachMember(
        of bytes: [UInt8],
        _ read: (ExactString, inout JSONReader) throws(JSONFault) -> Bool
    ) throws(DocumentError) {
        try JSONReader.read(bytes, depth: servedDepthLimit) { reader, bytes throws(JSONFault) in
            var object = try reader.openObject(in: bytes.span, depth: 1)
            while let name = try reader.nextMember(in: bytes.span, of: &object) {
                if try !read(ExactString(name.string(in: bytes)), &reader) {
                    _ = try reader.value(in: bytes.span, depth: 1)
                }
            }
        }
    }
}
