/// The field lines after the last chunk (RFC 9112 §7.1.2), checked byte by byte and dropped.
struct TrailerSection: Sendable {
    private enum State: Sendable {
        case lineStart
        case name
        case value
        case lineEnd
        case sectionEnd
    }

    /// The most bytes of the section.
    static let byteLimit = 16 << 10

    private var state = State.lineStart
    private var byteCount = 0

    /// Takes the next byte.
    ///
    /// - Returns: Whether it was the last byte.
    /// - Throws: ``RequestError/invalidField``, and ``RequestError/trailersTooLarge(limit:)`` past
    ///   the limit.
    mutating func take(_ byte: UInt8) throws(RequestError) -> Bool {
        byteCount += 1
        guard byteCount <= Self.byteLimit else { throw .trailersTooLarge(limit: Self.byteLimit) }
        switch (state, byte) {
        case (.sectionEnd, .lineFeed): return true
        case (.lineEnd, .lineFeed): state = .lineStart
        case (.lineStart, .carriageReturn): state = .sectionEnd
        case (.name, .colon): state = .value
        case (.value, .carriageReturn): state = .lineEnd
        case (.lineStart, _) where byte.isTokenCharacter: state = .name
        case (.name, _) where byte.isTokenCharacter: break
        case (.value, _) where byte.isFieldContent: break
        default: throw .invalidField
        }
        return false
    }
}
