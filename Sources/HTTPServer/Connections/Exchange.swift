import HTTPTypes
import HTTPWire

/// What of a request matters for the way its answer is written.
struct Exchange {
    var isHead = false
    var isHTTP10 = false
    /// Whether the client waits for an interim answer before it sends the body (RFC 9110 §10.1.1).
    var expectsContinue = false

    /// When the loop found that the head had arrived, in nanoseconds; 0 unless it is still to be
    /// counted.
    var began = 0
    /// What it is counted as.
    var operation = LoopFigures.unknownOperation
    /// What its key's owner is called.
    var user: String?
    /// Whether it waited for a change, or was answered by a stream.
    var isHeld = false

    /// When the head was read, in nanoseconds; 0 unless it is still to be logged.
    var start = 0
    /// The answer's status, 0 before there is one; the bytes of its content,
    /// and those given to a socket that took none.
    var status = 0
    var contentByteCount = 0
    var lostByteCount = 0

    init() {}

    init(_ head: borrowing RequestHead) {
        isHead = head.method.isHead
        isHTTP10 = head.version == .http10
        expectsContinue = head.expectsContinue
    }
}

extension RequestHead {
    /// Whether bytes of content follow the head.
    var hasBody: Bool { framing != .none && framing != .length(0) }
}
