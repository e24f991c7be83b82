package import HTTPWire

/// What a connection may ask of the server, and how long it may take (docs/PROTOCOL.md,
/// "Limits").
package struct ServerLimits: Sendable, Equatable {
    /// Limits on request heads, in bytes and fields.
    package var head = HeadLimits()

    /// Bytes of a body that is read only to be dropped, so that its connection can go on.
    package var droppedBodyByteLimit = 256 << 10

    /// Whose word is taken for who sent a request.
    package var proxies = TrustedProxies()

    /// For a TLS handshake, from the connection on.
    package var handshakeTime: Duration = .seconds(10)

    /// From the first byte of a head to its last.
    package var headTime: Duration = .seconds(10)

    /// Between an answer and the next request.
    package var idleTime: Duration = .seconds(75)

    /// In which a body, or an answer that waits to be taken, moves ``progressByteCount``.
    package var progressTime: Duration = .seconds(10)

    /// Bytes that a body or an answer moves at least in ``progressTime``.
    package var progressByteCount = 1024

    /// After which a stream that has nothing to send sends what keeps the way open.
    package var streamIdleTime: Duration = .seconds(25)

    /// In which a stream's reader takes something at least.
    package var streamProgressTime: Duration = .seconds(60)

    /// For how long input is still read and dropped after the last answer (RFC 9112 §9.6).
    package var lingeringTime: Duration = .seconds(5)

    /// Connections at a time; `nil`: what the open-file limit allows, less what is kept for files
    /// and the reserve.
    package var connectionLimit: Int?

    /// Connections past ``connectionLimit`` that are read for ``reserveTime``, in case they ask
    /// for what is essential (``RequestHandler/isEssential(_:)``); `nil`: a fixed part of what is
    /// kept.
    package var reserveLimit: Int?

    /// In which a connection of the reserve must have sent its request's head.
    package var reserveTime: Duration = .seconds(1)

    /// For how long a connection must have been idle to be closed when there are too many.
    package var sparedTime: Duration = .seconds(1)

    /// For how long a connection between requests may still send one when the server stops.
    package var drainTime: Duration = .seconds(1)

    /// After which a peer that does not even acknowledge what is sent counts as gone; whole
    /// seconds, from 6.
    package var vanishingTime: Duration = .seconds(120)

    /// Bytes that all connections may hold together: bodies that arrive, answers that wait to be
    /// taken, requests that wait to be read; `nil`: an eighth of the memory.
    package var heldByteLimit: Int?

    /// The defaults of the protocol.
    package init() {}
}

/// For how long a connection may do what it does, in milliseconds: ``ServerLimits`` as its state
/// looks at them with every step.
struct ConnectionTimes: Sendable {
    let handshake: Int
    let head: Int
    let idle: Int
    let progress: Int
    let progressByteCount: Int
    let streamIdle: Int
    let streamProgress: Int
    let lingering: Int
    let reserve: Int
    let drain: Int

    init(_ limits: ServerLimits) {
        handshake = limits.handshakeTime.milliseconds
        head = limits.headTime.milliseconds
        idle = limits.idleTime.milliseconds
        progress = limits.progressTime.milliseconds
        progressByteCount = limits.progressByteCount
        streamIdle = limits.streamIdleTime.milliseconds
        streamProgress = limits.streamProgressTime.milliseconds
        lingering = limits.lingeringTime.milliseconds
        reserve = limits.reserveTime.milliseconds
        drain = limits.drainTime.milliseconds
    }
}
