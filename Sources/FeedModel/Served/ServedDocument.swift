/// What a server says of a feed, as a client reads it (docs/PROTOCOL.md, "Reading").
public struct ServedDocument: Sendable {
    /// What it says.
    public enum Content: Sendable {
        /// There is nothing new.
        case unchanged
        /// What leads from the version `since` to the current one.
        case changes(Changes, since: Token)
        /// The feed, or the client's view of it, to be taken in the place of what it had.
        case snapshot(Snapshot)
        /// There is no such feed, or none that the client may read.
        case missing
        /// Something that leads nowhere, for this reason: the snapshot is to be fetched.
        case unreadable(String)
    }

    /// What the client has to come to.
    public struct Check: Sendable, Equatable {
        /// The number of items.
        public var count: Int
        /// The check on their order.
        public var order: UInt32

        /// What a snapshot comes to.
        public init(of snapshot: Snapshot) {
            count = snapshot.count
            order = snapshot.order
        }

        init(count: Int, order: UInt32) {
            self.count = count
            self.order = order
        }
    }

    /// The feed as it was asked for.
    public let feed: String

    /// What it says.
    public let content: Content

    /// The version that the client has then; `nil` of a feed that is missing.
    public let token: Token?

    /// What the client has to come to; `nil` of a feed that is missing.
    public let check: Check?

    /// The whole feed's number of items, in a view by section or limit.
    public let total: Int?

    /// The full numbers of items of the sections of a snapshot, in a view by section or limit.
    public let sectionCounts: [ExactString: Int]

    /// Why a snapshot was sent in the place of changes.
    public let reason: String?

    /// As it came.
    public let json: [UInt8]

    /// When the request that it answers was sent; `nil`: it answers none, or that is not known.
    package var requested: ContinuousClock.Instant?
}

extension ServedDocument {
    /// Says that there is no such feed.
    public static func missing(_ feed: FeedName) -> ServedDocument {
        ServedDocument(
            feed: feed.rawValue,
            content: .missing,
            json: Array("{\"kind\":\"missing\",\"feed\":\"\(feed)\"}".utf8)
        )
    }

    /// Reads a document of one of the kinds `snapshot`, `changes`, `unchanged` and `missing`.
    ///
    /// What says which feed it is about, and is no snapshot, is ``Content/unreadable(_:)`` where it
    /// is not of the form that it should have.
    ///
    /// - Parameter bytes: JSON in UTF-8.
    /// - Throws: ``DocumentError`` for what no server of this protocol sends.
    public init(parsing bytes: [UInt8]) throws {
        if let snapshot = ServedDocument(snapshot: bytes) {
            self = snapshot
            return
        }
        let members = try Envelope(parsing: bytes)
        let feed = try members.text("feed")
        let kind = try members.text("kind")
        switch kind {
        case "missing": self.init(feed: feed, content: .missing, json: bytes)
        case "snapshot": try self.init(kind, members, of: feed, parsing: bytes)
        default: self = .lenient(kind, members, of: feed, parsing: bytes)
        }
    }

    /// Reads a snapshot that says first that it is one, as servers of this project write it, in one
    /// pass; `nil` of any other document, and of one that is wrong.
    private init?(snapshot bytes: [UInt8]) {
        guard bytes.starts(with: #"{"kind":"snapshot","#.utf8) else { return nil }
        var reader = SnapshotReader(itemLimit: .max, envelope: Envelope())
        do {
            let snapshot = try reader.snapshot(in: bytes[...]) { _, _, _ in nil }
            guard let members = reader.envelope, try members.text("kind") == "snapshot"
            else { return nil }
            json = bytes
            feed = try members.text("feed")
            total = try members.number("total")
            reason = members["reason"] == nil ? nil : try members.text("reason")
            token = try members.token("token")
            check = Check(count: try members.neededNumber("count"), order: try members.order())
            content = .snapshot(snapshot)
            sectionCounts = total == nil ? [:] : reader.counts
        } catch {
            return nil
        }
    }

    /// What is to be applied to what is held, or cannot be.
    private static func lenient(
        _ kind: String,
        _ members: Envelope,
        of feed: String,
        parsing bytes: [UInt8]
    ) -> ServedDocument {
        do throws(DocumentError) {
            return try ServedDocument(kind, members, of: feed, parsing: bytes)
        } catch {
            let reason = "\(error.path) \(error.reason)"
            return ServedDocument(feed: feed, content: .unreadable(reason), json: bytes)
        }
    }

    private init(
        _ kind: String,
        _ members: Envelope,
        of feed: String,
        parsing bytes: [UInt8]
    ) throws(DocumentError) {
        json = bytes
        self.feed = feed
        total = try members.number("total")
        reason = members["reason"] == nil ? nil : try members.text("reason")
        token = try members.token("token")
        check = Check(count: try members.neededNumber("count"), order: try members.order())
        var counts: [ExactString: Int] = [:]
        switch kind {
        case "unchanged": content = .unchanged
        case "changes":
            content = .changes(
                try Changes(reading: try members.value("changes")),
                since: try members.token("since")
            )
        case "snapshot": content = .snapshot(try Snapshot(parsing: bytes, counts: &counts))
        default: throw DocumentError(kind: .malformed, path: "kind", reason: "is \"\(kind)\"")
        }
        sectionCounts = total == nil ? [:] : counts
    }

    /// What has no version.
    private init(feed: String, content: Content, json: [UInt8]) {
        self.feed = feed
        self.content = content
        self.json = json
        (token, check, total, sectionCounts, reason) = (nil, nil, nil, [:], nil)
    }

    /// Reads the document `pull`.
    ///
    /// - Parameter bytes: JSON in UTF-8.
    /// - Returns: One for each feed, in the order in which they stand there.
    /// - Throws: ``DocumentError`` for what no server of this protocol sends.
    public static func pulled(parsing bytes: [UInt8]) throws -> [ServedDocument] {
        let bytes = bytes[...]
        var parts: [Range<Int>] = []
        var reader = JSONReader(depthLimit: Envelope.depthLimit)
        do throws(JSONFault) {
            try reader.begin(bytes.span)
            var object = try reader.openObject(in: bytes.span, depth: 1)
            while object.isOpen {
                let name = try reader.memberName(in: bytes.span, of: &object)
                if name.string(in: bytes) == "feeds" {
                    parts = try reader.memberRanges(in: bytes.span)
                } else {
                    _ = try reader.value(in: bytes.span, depth: 1)
                }
                try reader.closeMember(in: bytes.span, of: &object)
            }
            try reader.end(bytes.span)
        } catch {
            throw error.documentError(in: bytes)
        }
        return try parts.map { try ServedDocument(parsing: Array(bytes[$0])) }
    }
}

extension JSONReader {
    /// Passes an object of objects, and says where each of those stands.
    fileprivate mutating func memberRanges(
        in source: Span<UInt8>
    ) throws(JSONFault) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        var object = try openObject(in: source, depth: 2)
        while object.isOpen {
            _ = try memberName(in: source, of: &object)
            let start = index
            _ = try value(in: source, depth: 2)
            ranges.append(start..<index)
            try closeMember(in: source, of: &object)
        }
        return ranges
    }
}
