/// What a server can take at a time: what its limits say, or else what the machine allows.
struct Capacity: Equatable {
    /// Connections that are served.
    let connectionLimit: Int

    /// Connections past it that are read for a moment, in case they ask for what is essential.
    let reserveLimit: Int

    /// How many of those a loop keeps; the rest is for those on their way to it.
    let loopReserve: Int

    /// Sockets and open files together, less the reserve.
    let descriptorLimit: Int

    /// Bytes that the connections of one loop may hold: bodies that arrive, answers that wait.
    let loopByteLimit: Int

    /// - Parameters:
    ///   - limits: What is set.
    ///   - loops: How many loops share it.
    ///   - fileLimit: The open-file limit.
    ///   - memoryByteCount: Of the machine, or of the part of it that the process may use.
    init(_ limits: ServerLimits, loops: Int, fileLimit: Int, memoryByteCount: Int) {
        // For files, the loops' own descriptors and the rest.
        let kept = max(64 + 2 * loops, fileLimit / 20)
        descriptorLimit = max(16, fileLimit - kept)
        connectionLimit = min(limits.connectionLimit ?? descriptorLimit, descriptorLimit)
        reserveLimit = limits.reserveLimit ?? min(kept / 4, 256)
        loopReserve = max(1, reserveLimit / 2 / loops)
        loopByteLimit =
            limits.heldByteLimit.map { $0 / loops }
            ?? max(Capacity.leastLoopByteLimit, memoryByteCount / 8 / loops)
    }

    /// Less would not do for two bodies of the protocol's size.
    private static let leastLoopByteLimit = 64 << 20
}
