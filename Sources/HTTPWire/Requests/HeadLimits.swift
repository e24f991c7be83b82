/// Limits on a request head (docs/PROTOCOL.md, "Limits").
package struct HeadLimits: Sendable, Equatable {
    /// The longest request target.
    package var targetByteLimit = 24 << 10
    /// The longest head, from the method to the empty line, which counts.
    package var headByteLimit = 48 << 10
    /// The most field lines.
    package var fieldLimit = 100 {
        didSet { fieldLimit = min(fieldLimit, HeadLimits.mostFields) }
    }

    /// The most that ``fieldLimit`` can be: a field's place is noted in a byte.
    package static let mostFields = 255

    /// The limits that the protocol names.
    package init() {}
}
