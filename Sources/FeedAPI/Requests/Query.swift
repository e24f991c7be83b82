import FeedModel
import HTTPWire

/// A request's query parameters, read where they stand.
struct Query: Sendable {
    /// The parameters that some route knows; those that are asked for most come first.
    ///
    /// A new one is a case here, which its resource reads.
    enum Parameter: UInt8, Sendable, CaseIterable {
        case since, version, limit, offset, section, format, wait, id, feed, prefix, after, before
        case at, `as`, dryRun, failing, lastEventId, removals

        /// The name in a query.
        var name: String { self == .dryRun ? "dry-run" : "\(self)" }

        private static let names = allCases.map { Array($0.name.utf8) }

        /// Finds the parameter of a name; names are case-sensitive.
        init?(_ name: Span<UInt8>) {
            let all = 0..<name.count
            let index = Parameter.names.firstIndex { name.isSame(all, as: $0.span) }
            guard let index else { return nil }
            self = Parameter.allCases[index]
        }
    }

    /// The bytes that it stands in.
    let bytes: [UInt8]
    let range: Range<Int>
    /// Whether something in it is percent-encoded, or a "+".
    private let isEncoded: Bool

    /// Which parameters are there; their values are looked for when they are asked for, which few
    /// are.
    private(set) var present: UInt32 = 0
    private(set) var repeated: UInt32 = 0
    private(set) var hasUnknown = false

    /// Reads a query.
    ///
    /// - Parameters:
    ///   - bytes: The bytes that it stands in.
    ///   - range: Where, without "?"; `nil`: there is none.
    /// - Throws: `400` for an escape that is none, and for what is not UTF-8 once decoded.
    init(_ bytes: [UInt8], _ range: Range<Int>?) throws(Problem) {
        self.bytes = bytes
        let range = range ?? 0..<0
        self.range = range
        isEncoded = bytes.span.isEncoded(range, plusIsSpace: true)
        var start = range.lowerBound
        while let (name, value) = next(from: &start) { try add(name, value, in: bytes.span) }
    }

    private mutating func add(
        _ name: TargetPart,
        _ value: TargetPart,
        in span: Span<UInt8>
    ) throws(Problem) {
        if name.isEncoded || value.isEncoded { try Query.checkEscapes(name, value, in: span) }
        let parameter =
            name.isEncoded
            ? Parameter(Array(text(name).utf8).span) : Parameter(span.extracting(name.range))
        guard let parameter else {
            hasUnknown = true
            return
        }
        let bit: UInt32 = 1 << UInt32(parameter.rawValue)
        if present & bit != 0 { repeated |= bit }
        present |= bit
    }

    private static func checkEscapes(
        _ name: TargetPart,
        _ value: TargetPart,
        in span: Span<UInt8>
    ) throws(Problem) {
        guard span.extracting(name.range).isPercentDecodable else {
            throw .malformed(
                "the name of a query parameter has a malformed percent-escape, or is not UTF-8"
            )
        }
        guard span.extracting(value.range).isPercentDecodable else {
            let name = (try? span.extracting(name.range).percentDecoded(plusIsSpace: true)) ?? ""
            throw .malformed(
                "the query parameter \"\(name)\" has a malformed percent-escape, or is not UTF-8"
            )
        }
    }

    /// The name and the value that begin at `start`; empty pieces between two "&" are passed over,
    /// and a name without "=" has an empty value.
    func next(from start: inout Int) -> (name: TargetPart, value: TargetPart)? {
        let (bytes, end) = (bytes.span, range.upperBound)
        while start < end {
            let mark = bytes.firstIndex(of: "=", or: "&", in: start..<end) ?? end
            var next = mark
            if mark < end, bytes[mark] == UInt8(ascii: "=") {
                next = bytes.firstIndex(of: UInt8(ascii: "&"), in: mark + 1..<end) ?? end
            }
            defer { start = next + 1 }
            guard start < next else { continue }
            return (part(start..<mark), part(min(mark + 1, next)..<next))
        }
        return nil
    }

    private func part(_ range: Range<Int>) -> TargetPart {
        let isEncoded = isEncoded && bytes.span.isEncoded(range, plusIsSpace: true)
        return TargetPart(range: range, isEncoded: isEncoded)
    }
}
