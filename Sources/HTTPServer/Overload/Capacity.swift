/// The load that a server can take: its configured limits, or else those of the machine.
struct Capacity: Equatable {
    /// The most connections that are served.
    let connectionLimit: Int

    /// The most connections past the limit that are read for a moment, in case they ask for an
    /// essential resource.
    let reserveLimit: Int

    /// The share of the reserve that one loop keeps; the rest is for connections on their way to a
    /// loop.
    let loopReserve: Int

    /// The most sockets and open files together, without the reserve.
    let descriptorLimit: Int

    /// The most bytes that the connections of one loop may hold: arriving bodies and waiting
    /// answers.
    let loopByteLimit: Int

    /// - Parameters:
    ///   - limits: The configured limits.
    ///   - loops: The number of loops that share the capacity.
    ///   - fileLimit: The open-file limit.
    ///   - memoryByteCount: The memory of the machine, or of the part that the process may use.
    init(_ limits: ServerLimits, loops: Int, fileLimit: Int, memoryByteCount: Int) {
        // The kept descriptors are for files, the loops' own descriptors and all other uses.
        let kept = max(64 + 2 * loops, fileLimit / 20)
        descriptorLimit = max(16, fileLimit - kept)
        connectionLimit = min(limits.connectionLimit ?? descriptorLimit, descriptorLimit)
        reserveLimit = limits.reserveLimit ?? min(kept / 4, 256)
        loopReserve = max(1, reserveLimit / 2 / loops)
        loopByteLimit =
            limits.heldByteLimit.map { $0 / loops }
            ?? max(Capacity.leastLoopByteLimit, memoryByteCount / 8 / loops)
    }

    /// The least memory of a loop: less could not hold two bodies of the protocol's size.
    private static let leastLoopByteLimit = 64 << 20
}
