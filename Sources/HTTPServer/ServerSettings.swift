/// What may change while a server runs, taken by each event loop as a whole.
///
/// A request is received, refused and timed by one of them. Each loop has one of its own: the
/// references to what all loops share are counted by all cores, which costs each of them time.
final class ServerSettings: Sendable {
    let handler: any RequestHandler
    let limits: ServerLimits
    let times: ConnectionTimes
    let capacity: Capacity

    init(handler: any RequestHandler, limits: ServerLimits, loopCount: Int) {
        self.handler = handler
        self.limits = limits
        times = ConnectionTimes(limits)
        capacity = Capacity(
            limits,
            loops: loopCount,
            fileLimit: DescriptorUse.limit,
            memoryByteCount: MemorySize.byteCount
        )
    }

    /// The same settings for another loop.
    init(copying other: ServerSettings) {
        handler = other.handler
        limits = other.limits
        times = other.times
        capacity = other.capacity
    }
}
