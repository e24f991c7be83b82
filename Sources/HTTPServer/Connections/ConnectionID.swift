/// Names a connection of an event loop; a descriptor's number is used again, this never is.
struct ConnectionID: Hashable, Sendable {
    let descriptor: Int32
    let generation: UInt32

    init(descriptor: Int32, generation: UInt32) {
        self.descriptor = descriptor
        self.generation = generation
    }

    /// As it stands in an epoll event.
    init(eventData: UInt64) {
        descriptor = Int32(truncatingIfNeeded: eventData)
        generation = UInt32(truncatingIfNeeded: eventData >> 32)
    }

    var eventData: UInt64 {
        UInt64(generation) << 32 | UInt64(UInt32(bitPattern: descriptor))
    }
}
