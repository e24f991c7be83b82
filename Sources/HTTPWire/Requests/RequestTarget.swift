/// A request target (RFC 9112 §3.2), taken apart and percent-decoded (RFC 3986 §2.1).
package struct RequestTarget: Sendable {
    /// One of the four forms.
    package var form: Form
    /// As sent, without the query.
    ///
    /// In absolute form without scheme and authority, and "/" when nothing is left (RFC 9110
    /// §4.2.3).
    package var rawPath: String
    /// The path's segments, each percent-decoded.
    ///
    /// "/feeds/a%2Fb" is ["feeds", "a/b"]; a path that ends in "/" has an empty last segment; "/"
    /// is [""]. "." and ".." are segments like others, and a decoded one may hold any character.
    /// There are none in asterisk and authority form.
    package var segments: [String]
    /// As sent, without "?"; nil when there is no "?".
    package var rawQuery: String?
    /// In order; `+` is a space; a name without "=" has an empty value.
    package var query: [QueryItem]
}

extension RequestTarget {
    /// The forms of a target (RFC 9112 §3.2.1 to §3.2.4).
    package enum Form: Sendable {
        case origin
        case absolute
        case authority
        case asterisk
    }

    /// A name and its value in a query.
    package struct QueryItem: Sendable {
        package var name: String
        package var value: String

        /// An item as it is once decoded.
        package init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }
}

extension RequestTarget {
    /// Takes the target of `head` apart.
    ///
    /// - Throws: ``RequestError/invalidTarget`` for bad percent-encoding, and text that is not
    ///   UTF-8 once decoded.
    package init(_ head: RequestHead) throws(RequestError) {
        let places = try TargetPlaces(head)
        let bytes = head.bytes
        self.init(
            form: places.form,
            rawPath: places.path.isEmpty ? "/" : head.string(places.path),
            segments: places.hasSegments ? try Self.segments(bytes, places.path) : [],
            rawQuery: places.query.map(head.string),
            query: try places.query.map { query throws(RequestError) in
                try Self.items(bytes, query)
            } ?? []
        )
    }

    private static func segments(
        _ bytes: [UInt8],
        _ path: Range<Int>
    ) throws(RequestError) -> [String] {
        var segments: [String] = []
        var start = min(path.lowerBound + 1, path.upperBound)
        while let end = bytes.span.firstIndex(of: .slash, in: start..<path.upperBound) {
            segments.append(try decoded(bytes, start..<end))
            start = end + 1
        }
        segments.append(try decoded(bytes, start..<path.upperBound))
        return segments
    }

    private static func items(
        _ bytes: [UInt8],
        _ query: Range<Int>
    ) throws(RequestError) -> [QueryItem] {
        var items: [QueryItem] = []
        var start = query.lowerBound
        while start < query.upperBound {
            let rest = start..<query.upperBound
            let end = bytes.span.firstIndex(of: UInt8(ascii: "&"), in: rest) ?? query.upperBound
            if start < end {
                let mark = bytes.span.firstIndex(of: .equals, in: start..<end) ?? end
                items.append(
                    QueryItem(
                        name: try decoded(bytes, start..<mark, plusIsSpace: true),
                        value: try decoded(bytes, min(mark + 1, end)..<end, plusIsSpace: true)
                    )
                )
            }
            start = end + 1
        }
        return items
    }

    private static func decoded(
        _ bytes: [UInt8],
        _ range: Range<Int>,
        plusIsSpace: Bool = false
    ) throws(RequestError) -> String {
        try bytes.span.extracting(range).percentDecoded(plusIsSpace: plusIsSpace)
    }
}

/// Targets and items are equal when they have the same bytes; `String`'s equality would take
/// canonically equivalent texts for the same.
extension RequestTarget: Equatable {
    package static func == (left: RequestTarget, right: RequestTarget) -> Bool {
        // Segments and items follow from the raw texts, which are ASCII.
        left.form == right.form && left.rawPath == right.rawPath && left.rawQuery == right.rawQuery
    }
}

extension RequestTarget.QueryItem: Equatable {
    package static func == (left: Self, right: Self) -> Bool {
        left.name.utf8.elementsEqual(right.name.utf8)
            && left.value.utf8.elementsEqual(right.value.utf8)
    }
}
