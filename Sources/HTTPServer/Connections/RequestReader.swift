import HTTPWire

/// A connection's incomplete requests, and the requests that may not be read yet.
final class RequestReader {
    var parser: RequestParser
    /// Whether `parser` has the loop's storage, and may have begun to read.
    private(set) var hasStorage = false

    /// The collector of the body that is being read.
    var body: BodyCollector?

    /// Input that arrived before it may be read: pipelined requests.
    private var stash: [UInt8] = []
    /// The index in `stash` of the first byte that has not been read.
    private var stashStart = 0

    init(limits: HeadLimits) {
        parser = RequestParser(limits: limits)
    }

    /// Whether there is input that arrived before it may be read.
    var hasInput: Bool { !stash.isEmpty }

    /// Whether no byte of a request has arrived.
    var isFresh: Bool { stash.isEmpty && parser.isFresh }

    /// The number of bytes of memory that the reader holds.
    var byteCount: Int {
        (body?.heldByteCount ?? 0) + stash.count
            + (parser.isMidway ? parser.head.bytes.count : 0)
    }

    /// Borrows the loop's parser storage, if the reader has none.
    func borrowStorage(of loop: EventLoop) {
        guard !hasStorage else { return }
        swap(&parser, &loop.scratch.parser)
        hasStorage = true
    }

    /// Forgets the head and returns the storage, so that idle connections have none.
    func giveBackStorage(to loop: EventLoop) {
        guard hasStorage else { return }
        let limits = loop.settings.limits.head
        parser.reset()
        parser.limits = limits
        swap(&parser, &loop.scratch.parser)
        parser.releaseStorage()
        parser.limits = limits
        hasStorage = false
    }

    /// Keeps input that may not be read yet; it is not copied for every request of a pipeline.
    func keep(_ input: [UInt8], from start: Int) {
        (stash, stashStart) = (input, start)
    }

    /// Takes the kept input, with the index of its first unread byte.
    func takeKept() -> (input: [UInt8], start: Int) {
        defer { (stash, stashStart) = ([], 0) }
        return (stash, stashStart)
    }
}
