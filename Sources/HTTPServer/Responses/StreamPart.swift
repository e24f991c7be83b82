/// What a stream has at the moment.
package enum StreamPart: Sendable {
    case bytes([UInt8])
    /// Two pieces, one behind the other: what many streams share, and what is this one's own; and
    /// whether that is all at the moment, as if it was pending after them.
    case pieces([UInt8], [UInt8], isAllNow: Bool = false)
    /// Nothing, until the waker is called or a topic is notified.
    case pending
    /// Nothing yet: to be asked again after the others' turn, without a wake-up.
    case askAgain
    case end
}
