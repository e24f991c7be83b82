import FeedFormats
import HTTPWire

/// A part of a request's target: its range in the head, and whether it must be decoded.
struct TargetPart: Sendable, Equatable {
    private let start: UInt32
    private let end: UInt32
    let isEncoded: Bool

    /// Makes a part.
    ///
    /// - Parameters:
    ///   - range: The range of the part in the head; no head is longer than 4 GiB.
    ///   - isEncoded: Whether the part may contain a percent-escape.
    init(range: Range<Int>, isEncoded: Bool) {
        start = UInt32(truncatingIfNeeded: range.lowerBound)
        end = UInt32(truncatingIfNeeded: range.upperBound)
        self.isEncoded = isEncoded
    }

    var range: Range<Int> { Int(start)..<Int(end) }

    static let empty = TargetPart(range: 0..<0, isEncoded: false)
}

/// A request's row in the table of resources, with the variable segments of its path.
struct Route: Sendable {
    /// The index of ``resource`` in ``Resource/table``, which names the route in the metrics.
    let index: UInt8
    /// The first variable segment of the path, mostly the name of a feed.
    private(set) var feed: TargetPart
    /// The second variable segment, the id of an item or a section.
    private(set) var id: TargetPart

    /// The resource that the path names.
    var resource: Resource { Resource.table[Int(index)] }

    /// Finds the resource that a request's path names.
    ///
    /// - Throws: `400` for a segment that is not UTF-8 once decoded.
    init(_ head: borrowing RequestHead) throws(Problem) {
        (feed, id) = (.empty, .empty)
        let target = head.targetParts
        guard target.hasSegments else {
            index = target.form == .asterisk ? Resource.server : Resource.files
            return
        }
        let bytes = head.bytes.span
        let path: PathSegments
        do {
            path = try PathSegments(bytes, target.path)
        } catch {
            throw .malformed("the path has a malformed percent-escape, or is not UTF-8")
        }
        let patterns = Resource.patterns
        for index in patterns.indices where patterns[index].matches(path, in: bytes) {
            self.index = Resource.firstPath + UInt8(truncatingIfNeeded: index)
            if let index = patterns[index].firstPart { feed = path[index] }
            if let index = patterns[index].secondPart { id = path[index] }
            return
        }
        let first = path[0]
        if PathPattern.isWord("feeds", first, in: bytes) {
            index = Resource.belowFeeds
        } else if patterns.contains(where: { $0.begins(with: first, in: bytes) }) {
            index = Resource.nothing
        } else {
            index = Resource.files
        }
    }
}

/// A pattern of paths, whose segments are words or variables.
struct PathPattern: Sendable {
    enum Segment: Sendable, ExpressibleByStringLiteral {
        case word(StaticString)
        /// Any segment; the name is shown in the pattern's text.
        case any(StaticString)
        /// A feed's name that ends in the name of a format: `news.atom`.
        case formatted

        init(stringLiteral word: StaticString) { self = .word(word) }
    }

    private let segments: [Segment]
    /// The index of the first variable segment; `nil` if there is none.
    private(set) var firstPart: Int?
    /// The index of the second variable segment; `nil` if there is none.
    private(set) var secondPart: Int?

    /// Makes a pattern of 1 to 4 segments; at most two may be variable.
    init(_ segments: [Segment]) {
        self.segments = segments
        for (index, segment) in segments.enumerated() {
            if case .word = segment { continue }
            if firstPart == nil { firstPart = index } else { secondPart = index }
        }
    }

    /// The pattern as text: `/feeds/{feed}/items`.
    var text: String {
        segments.map { segment in
            switch segment {
            case .word(let word): "/\(word)"
            case .any(let name): "/{\(name)}"
            case .formatted: "/{feed}.{format}"
            }
        }.joined()
    }

    /// Whether a segment must end in the name of a format.
    var isFormatted: Bool {
        segments.contains { if case .formatted = $0 { true } else { false } }
    }

    fileprivate func matches(_ path: PathSegments, in bytes: Span<UInt8>) -> Bool {
        guard path.count == segments.count else { return false }
        for index in segments.indices {
            switch segments[index] {
            case .word(let word):
                guard PathPattern.isWord(word, path[index], in: bytes) else { return false }
            case .any: break
            case .formatted:
                guard SyndicationFormat(endOf: path[index], in: bytes) != nil else { return false }
            }
        }
        return true
    }

    fileprivate func begins(with segment: TargetPart, in bytes: Span<UInt8>) -> Bool {
        if case .word(let word) = segments[0] {
            PathPattern.isWord(word, segment, in: bytes)
        } else {
            false
        }
    }

    /// Returns whether a segment, decoded, equals a word.
    fileprivate static func isWord(
        _ word: StaticString,
        _ part: TargetPart,
        in bytes: Span<UInt8>
    ) -> Bool {
        guard part.isEncoded else { return bytes.isSame(part.range, as: word) }
        let decoded = try? bytes.extracting(part.range).percentDecoded()
        return decoded?.utf8.elementsEqual("\(word)".utf8) ?? false
    }
}

/// The segments of a path; a path that ends in "/" has an empty last segment.
private struct PathSegments {
    /// The number of segments; only the first five are stored.
    private(set) var count: Int
    /// The index at which each segment begins, and the index after the slash behind the last one.
    private var starts: SIMD8<UInt32>
    private let isEncoded: Bool

    /// Splits a path at its slashes.
    ///
    /// - Throws: ``HTTPWire/RequestError/invalidTarget`` for a malformed escape, and for a segment
    ///   that is not UTF-8 once decoded.
    init(_ bytes: Span<UInt8>, _ path: Range<Int>) throws(RequestError) {
        (count, starts, isEncoded) = (0, SIMD8(), bytes.isEncoded(path))
        var start = min(path.lowerBound + 1, path.upperBound)
        starts[0] = UInt32(truncatingIfNeeded: start)
        while start <= path.upperBound {
            let slash = bytes.firstIndex(of: UInt8(ascii: "/"), in: start..<path.upperBound)
            let end = slash ?? path.upperBound
            if isEncoded { _ = try bytes.extracting(start..<end).percentDecoded() }
            start = end + 1
            guard count < 5 else { continue }
            count += 1
            starts[count] = UInt32(truncatingIfNeeded: start)
        }
    }

    subscript(index: Int) -> TargetPart {
        TargetPart(range: Int(starts[index])..<Int(starts[index + 1]) - 1, isEncoded: isEncoded)
    }
}

extension SyndicationFormat {
    /// Finds the format whose name a segment ends in: `atom` for `news.atom`; `nil` if there is
    /// none.
    init?(endOf part: TargetPart, in bytes: Span<UInt8>) {
        if part.isEncoded {
            let text = (try? bytes.extracting(part.range).percentDecoded()) ?? ""
            let found = SyndicationFormat.allCases.first { text.hasSuffix("." + $0.rawValue) }
            guard let found else { return nil }
            self = found
            return
        }
        /// Returns whether the segment ends in a suffix, and has a name before it.
        func ends(in suffix: StaticString) -> Bool {
            let (range, count) = (part.range, suffix.utf8CodeUnitCount)
            guard range.count > count else { return false }
            return bytes.isSame(range.upperBound - count..<range.upperBound, as: suffix)
        }
        // The last byte of most segments shows that they do not end in a format's name.
        guard let last = part.range.last else { return nil }
        switch bytes[last] {
        case UInt8(ascii: "n") where ends(in: ".json"): self = .jsonFeed
        case UInt8(ascii: "m") where ends(in: ".atom"): self = .atom
        case UInt8(ascii: "s") where ends(in: ".rss"): self = .rss
        default: return nil
        }
    }
}

extension SyndicationFormat {
    /// Returns the feed's name without this format's suffix, in UTF-8.
    func feed(in name: String) -> [UInt8] { name.utf8.dropLast(rawValue.utf8.count + 1) }
}

extension RequestHead {
    /// Returns a part of the target, decoded; its escapes were checked before.
    func text(_ part: TargetPart) -> String {
        guard part.isEncoded else { return string(part.range) }
        return (try? bytes.span.extracting(part.range).percentDecoded()) ?? ""
    }
}
