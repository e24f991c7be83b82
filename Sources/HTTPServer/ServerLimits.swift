package import HTTPWire

/// What a connection may ask of the server, and how long it may take (docs/PROTOCOL.md,
/// "Limits").
package struct ServerLimits: Sendable {
    /// Limits on request heads, in bytes and fields.
    package var head = HeadLimits()

    /// Bytes of a body that is read only to be dropped, so that its connection can go on.
    package var droppedBodyByteLimit = 256 << 10

    /// From the first byte of a head to its last.
    package var headTime: Duration = .seconds(10)

    /// Between an answer and the next request.
    package var idleTime: Duration = .seconds(75)

    /// In which a body, or an answer that waits to be taken, moves ``progressByteCount``.
    package var progressTime: Duration = .seconds(10)

    /// Bytes that a body or an answer moves at least in ``progressTime``.
    package var progressByteCount = 1024

    /// After which a stream that has nothing to send sends what keeps the way open.
    package var streamIdleTime: Duration = .seconds(15)

    /// In which a stream's reader takes something at least.
    package var streamProgressTime: Duration = .seconds(60)

    /// For how long input is still read and dropped after the last answer (RFC 9112 §9.6).
    package var lingeringTime: Duration = .seconds(5)

    /// Connections at a time; `nil`: what the open-file limit allows, less a reserve.
    package var connectionLimit: Int?

    /// The defaults of the protocol.
    package init() {}
}
