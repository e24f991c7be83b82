/// The body of `POST /events`: the feeds to follow (docs/PROTOCOL.md, "Very many feeds").
package struct FollowedNames: Sendable {
    /// The name of a feed with the version that the client has, or a pattern for names.
    package struct Entry: Sendable {
        /// The name or pattern as it was written, which may not be valid.
        package let name: String
        /// The token as it was written; `nil`: the client has no version, or for a pattern.
        package let token: String?
        /// The index in the body of the first byte of the token or pattern.
        package let offset: Int
    }

    package private(set) var feeds: [Entry] = []
    package private(set) var patterns: [Entry] = []

    /// Parses a body with at most `limit` names, and as many patterns; for more, the error is
    /// ``DocumentError/Kind/tooManyItems``.
    package init(parsing bytes: [UInt8], limit: Int) throws(DocumentError) {
        self = try JSONReader.read(bytes, depth: 64) { reader, bytes throws(JSONFault) in
            var names = FollowedNames()
            try names.read(&reader, bytes, limit)
            return names
        }
    }

    private init() {}

    /// Returns the error for a value at an index of the body.
    package static func refusal(_ offset: Int, in bytes: [UInt8], _ reason: String) -> DocumentError
    {
        JSONFault(offset: offset, problem: .refused(reason)).documentError(in: bytes[...])
    }

    private mutating func read(
        _ reader: inout JSONReader,
        _ bytes: ArraySlice<UInt8>,
        _ limit: Int
    ) throws(JSONFault) {
        let source = bytes.span
        var object = try reader.openObject(in: source, depth: 1)
        while let name = try reader.nextMember(in: source, of: &object) {
            switch ExactString(name.string(in: bytes)) {
            case "feeds": try readFeeds(&reader, bytes, limit)
            case "match": try readPatterns(&reader, bytes, limit)
            default:
                throw JSONFault(
                    offset: reader.index,
                    problem: .refused("is neither “feeds” nor “match”")
                )
            }
        }
    }

    private mutating func readFeeds(
        _ reader: inout JSONReader,
        _ bytes: ArraySlice<UInt8>,
        _ limit: Int
    ) throws(JSONFault) {
        let source = bytes.span
        var object = try reader.openObject(in: source, depth: 2)
        while let name = try reader.nextMember(in: source, of: &object) {
            guard feeds.count < limit else {
                throw JSONFault(offset: name.offset, problem: .tooManyItems(limit: limit))
            }
            let offset = reader.index
            var token: String?
            if reader.next(in: source) == UInt8(ascii: "n") {
                _ = try reader.value(in: source, depth: 2)
            } else {
                try reader.expectString(in: source)
                token = try reader.string(in: source).string(in: bytes)
            }
            feeds.append(Entry(name: name.string(in: bytes), token: token, offset: offset))
        }
    }

    private mutating func readPatterns(
        _ reader: inout JSONReader,
        _ bytes: ArraySlice<UInt8>,
        _ limit: Int
    ) throws(JSONFault) {
        let source = bytes.span
        try reader.openArray(in: source, depth: 2)
        while try reader.nextElement(in: source, isFirst: patterns.isEmpty) {
            guard patterns.count < limit else {
                throw JSONFault(offset: reader.index, problem: .tooManyItems(limit: limit))
            }
            let offset = reader.index
            try reader.expectString(in: source)
            let text = try reader.string(in: source).string(in: bytes)
            patterns.append(Entry(name: text, token: nil, offset: offset))
        }
    }
}
