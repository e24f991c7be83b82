package import HTTPWire
import Platform

/// The settings that may change while a server runs; an event loop replaces them as a whole.
///
/// Each loop has its own copy: cores that count references to one shared object slow each other
/// down.
final class ServerSettings: Sendable {
    let handler: any RequestHandler
    let limits: ServerLimits
    /// The trusted proxies, if a header field may state a request's client address; otherwise
    /// `nil`.
    let fieldProxies: TrustedProxies?

    /// The most connections that are served.
    let connectionLimit: Int

    /// The most connections past ``connectionLimit``, in all loops; they are read for a moment in
    /// case they send an essential request (``RequestLabel/isEssential``).
    let reserveLimit: Int

    /// The most connections past the limit that one loop reads; the others are just being passed to
    /// a loop.
    let loopReserve: Int

    /// The most sockets and open files together, without the reserve.
    let descriptorLimit: Int

    /// The most bytes of memory that the connections of one loop may use, for arriving bodies and
    /// waiting responses.
    let loopByteLimit: Int

    /// Makes the settings for a loop.
    ///
    /// - Parameters:
    ///   - limits: The configured limits; those that are not set follow from the machine.
    ///   - loopCount: The number of loops that share the limits.
    ///   - memoryByteCount: The memory of the machine, or of the part that the process may use.
    init(
        handler: any RequestHandler,
        limits: ServerLimits,
        loopCount: Int,
        fileLimit: Int = DescriptorUse.limit,
        memoryByteCount: Int = MemorySize.byteCount
    ) {
        self.handler = handler
        self.limits = limits
        fieldProxies = limits.proxies.readsFields ? limits.proxies : nil
        // Some descriptors are reserved for files, the loops' epoll sets and timers, and all other
        // uses.
        let kept = max(64 + 2 * loopCount, fileLimit / 20)
        descriptorLimit = max(16, fileLimit - kept)
        connectionLimit = min(limits.connectionLimit ?? descriptorLimit, descriptorLimit)
        reserveLimit = limits.reserveLimit ?? min(kept / 4, 256)
        loopReserve = max(1, reserveLimit / 2 / loopCount)
        loopByteLimit =
            limits.heldByteLimit.map { $0 / loopCount }
            ?? max(ServerSettings.leastLoopByteLimit, memoryByteCount / 8 / loopCount)
    }

    /// The least limit of a loop's memory: with less, two bodies of the protocol's size would not
    /// fit.
    static let leastLoopByteLimit = 64 << 20
}

/// Limits on the memory and time that a connection may use (docs/PROTOCOL.md, "Limits").
package struct ServerLimits: Sendable, Equatable {
    /// Limits on request heads, in bytes and fields.
    package var head = HeadLimits()

    /// The proxies that are trusted to state the address of a request's client.
    package var proxies = TrustedProxies()

    /// The time for a TLS handshake, from the acceptance of the connection on.
    package var handshakeTime: Duration = .seconds(10)

    /// The time from the first byte of a head to its last.
    package var headTime: Duration = .seconds(10)

    /// The time between a response and the next request.
    package var idleTime: Duration = .seconds(75)

    /// The time in which at least ``progressByteCount`` bytes of a body or a response must be
    /// transferred.
    package var progressTime: Duration = .seconds(10)

    /// The fewest bytes of a body or a response that must be transferred in ``progressTime``.
    package var progressByteCount = 1024

    /// The time after which an idle stream sends ``ResponseStream/idlePart()``, to keep the
    /// connection alive.
    package var streamIdleTime: Duration = .seconds(25)

    /// The time for which input is still read and dropped after the last response (RFC 9112 §9.6).
    package var lingeringTime: Duration = .seconds(5)

    /// The most connections at a time; `nil`: the open-file limit, without the descriptors reserved
    /// for files and other uses.
    package var connectionLimit: Int?

    /// The most connections past ``connectionLimit`` that are read for ``reserveTime``, in case
    /// they send an essential request (``RequestLabel/isEssential``); `nil`: a quarter of the
    /// reserved descriptors, at most 256.
    package var reserveLimit: Int?

    /// The time in which a connection past the limit must send its request's head.
    package var reserveTime: Duration = .seconds(1)

    /// The idle time below which a connection is not closed to make room for others.
    package var sparedTime: Duration = .seconds(1)

    /// The time for which an idle connection may still send a request when the server stops.
    package var drainTime: Duration = .seconds(1)

    /// The most bytes of memory that the connections may use, for arriving bodies, responses not
    /// received by their clients, and requests not yet read; `nil`: an eighth of the machine's
    /// memory, at least 64 MiB for each event loop.
    package var heldByteLimit: Int?

    /// Makes the limits that are the protocol's defaults.
    package init() {}
}
