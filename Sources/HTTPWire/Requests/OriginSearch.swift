/// Searches the rest of a refused head for the Origin field, however its bytes arrive.
package struct OriginSearch: Sendable {
    /// The state of the search.
    package enum Outcome: Sendable, Equatable {
        case found([UInt8])
        /// The head has no Origin field, or is longer than the limit.
        case none
        case undecided
    }

    /// The most bytes of the rest that are searched.
    package static let byteLimit = 64 << 10
    /// The longest line that may be the field, in bytes: an origin is a scheme, a host and a port.
    private static let lineLimit = 512

    /// The current line, as long as it may be the field.
    private var line: [UInt8] = []
    /// Whether the current line is ignored: it is too long, or its beginning is not known.
    private var isPassed: Bool
    /// Whether a line that is not empty has been seen: empty lines before it do not end the head
    /// (RFC 9112 §2.2).
    private var hasBegun: Bool
    private var byteCount = 0

    /// Starts a search.
    ///
    /// - Parameter isWithinLine: Whether the first bytes are the end of a line.
    package init(isWithinLine: Bool) {
        isPassed = isWithinLine
        hasBegun = isWithinLine
    }

    /// Returns the origin in the first part of a head; nil if it has no complete Origin field.
    package static func origin(in input: Span<UInt8>) -> [UInt8]? {
        var search = OriginSearch(isWithinLine: false)
        guard case .found(let origin) = search.take(input) else { return nil }
        return origin
    }

    /// Searches the bytes that came next.
    package mutating func take(_ input: Span<UInt8>) -> Outcome {
        var start = 0
        while let end = input.firstIndex(of: .lineFeed, in: start..<input.count) {
            add(input.extracting(start..<end))
            start = end + 1
            defer {
                line.removeAll(keepingCapacity: true)
                isPassed = false
            }
            if !isPassed, line.last == .carriageReturn { line.removeLast() }
            guard isPassed || !line.isEmpty else {
                if hasBegun { return .none }
                continue
            }
            hasBegun = true
            guard !isPassed else { continue }
            if let value = OriginSearch.value(line.span) { return .found(value) }
        }
        add(input.extracting(start..<input.count))
        byteCount += input.count
        return byteCount < OriginSearch.byteLimit ? .undecided : .none
    }

    private mutating func add(_ bytes: Span<UInt8>) {
        guard !isPassed, line.count + bytes.count <= OriginSearch.lineLimit else {
            isPassed = true
            return
        }
        line.append(copying: bytes)
    }

    private static func value(_ line: Span<UInt8>) -> [UInt8]? {
        guard let colon = line.firstIndex(of: .colon, in: line.indices),
            line.equals("origin", in: 0..<colon)
        else { return nil }
        var value: [UInt8] = []
        value.append(copying: line.extracting(line.trimmed(colon + 1..<line.count)))
        return value
    }
}
