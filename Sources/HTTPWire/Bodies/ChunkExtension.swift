/// Checks the bytes between a chunk's size and the end of its line, one by one (RFC 9112 §7.1.1).
///
/// White space around semicolons and equals signs is bad, but accepted (RFC 9110 §5.6.3). At the
/// end of the line it is not accepted.
struct ChunkExtension: Sendable {
    private enum State: Sendable {
        /// A semicolon must follow, perhaps after white space.
        case start
        case nameStart
        case name
        /// White space after a name: "=" or ";" must follow.
        case nameEnd
        case valueStart
        case token
        case quoted
        case quotedPair
        case quotedEnd
    }

    private var state = State.start

    /// Whether the line may end here.
    var canEnd: Bool { state == .name || state == .token || state == .quotedEnd }

    /// Takes the next byte.
    ///
    /// - Returns: Whether the byte is allowed there.
    mutating func take(_ byte: UInt8) -> Bool {
        switch state {
        case .start, .nameEnd, .nameStart, .valueStart:
            return byte.isBlank || begin(byte)
        case .name, .token:
            if byte.isTokenCharacter { return true }
            return end(byte)
        case .quoted:
            if byte == .quote { state = .quotedEnd }
            if byte == .backslash { state = .quotedPair }
            return byte.isFieldContent
        case .quotedPair:
            state = .quoted
            return byte.isFieldContent
        case .quotedEnd:
            return end(byte)
        }
    }

    /// Takes the first byte after white space.
    private mutating func begin(_ byte: UInt8) -> Bool {
        switch (state, byte) {
        case (.start, .semicolon), (.nameEnd, .semicolon): state = .nameStart
        case (.nameEnd, .equals): state = .valueStart
        case (.valueStart, .quote): state = .quoted
        case (.nameStart, _) where byte.isTokenCharacter: state = .name
        case (.valueStart, _) where byte.isTokenCharacter: state = .token
        default: return false
        }
        return true
    }

    /// Takes the byte after a name or a value.
    private mutating func end(_ byte: UInt8) -> Bool {
        switch (state, byte) {
        case (_, .semicolon): state = .nameStart
        case (.name, .equals): state = .valueStart
        case (.name, _) where byte.isBlank: state = .nameEnd
        case (_, _) where byte.isBlank: state = .start
        default: return false
        }
        return true
    }
}
