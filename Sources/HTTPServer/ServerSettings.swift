/// The settings that may change while a server runs; each event loop replaces them as a whole.
///
/// A request is received, refused and timed by the same settings. Each loop has its own copy: if
/// all loops shared one, all cores would count references to it, which costs each of them time.
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

    /// Copies the settings for another loop.
    init(copying other: ServerSettings) {
        handler = other.handler
        limits = other.limits
        times = other.times
        capacity = other.capacity
    }
}
