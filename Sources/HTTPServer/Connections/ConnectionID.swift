/// The id of a connection of an event loop; the descriptor's number is used again, but the id never
/// is.
struct ConnectionID: Hashable, Sendable {
    let descriptor: Int32
    let generation: UInt32

    init(descriptor: Int32, generation: UInt32) {
        self.descriptor = descriptor
        self.generation = generation
    }

    /// Makes the id from the data of an epoll event.
    init(eventData: UInt64) {
        descriptor = Int32(truncatingIfNeeded: eventData)
        generation = UInt32(truncatingIfNeeded: eventData >> 32)
    }

    var eventData: UInt64 {
        UInt64(generation) << 32 | UInt64(UInt32(bitPattern: descriptor))
    }
}
