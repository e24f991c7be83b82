/// What may change while a server runs, taken by each event loop as a whole.
///
/// A request is received, refused and timed by one of them.
final class ServerSettings: Sendable {
    let handler: any RequestHandler
    let limits: ServerLimits
    let capacity: Capacity

    init(handler: any RequestHandler, limits: ServerLimits, loopCount: Int) {
        self.handler = handler
        self.limits = limits
        capacity = Capacity(
            limits,
            loops: loopCount,
            fileLimit: DescriptorUse.limit,
            memoryByteCount: MemorySize.byteCount
        )
    }
}
