import HTTPWire

/// What a connection has of requests that are not whole yet, and of those that may not be read yet.
final class RequestReader {
    var parser: RequestParser
    /// Whether `parser` has its loop's storage, and may have begun to read.
    private(set) var hasStorage = false

    /// Collects the body that is being read.
    var body: BodyCollector?

    /// A refusal that waits for the origin to send it to.
    var refusal: PendingRefusal?

    /// Input that came before it may be read: pipelined requests.
    private var stash: [UInt8] = []
    /// Where in it those begin that have not been read.
    private var stashStart = 0

    init(limits: HeadLimits) {
        parser = RequestParser(limits: limits)
    }

    /// Whether there is input that came before it may be read.
    var hasInput: Bool { !stash.isEmpty }

    /// Whether nothing of a request has come.
    var isFresh: Bool { stash.isEmpty && parser.isFresh }

    /// Bytes of memory that it holds.
    var byteCount: Int {
        (body?.heldByteCount ?? 0) + stash.count
            + (parser.isMidway ? parser.head.bytes.count : 0)
    }

    /// Borrows the loop's storage, if it has none.
    func borrowStorage(of loop: EventLoop) {
        guard !hasStorage else { return }
        swap(&parser, &loop.scratch.parser)
        hasStorage = true
    }

    /// Forgets the head and gives the storage back, so that idle connections have none.
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

    /// Keeps input that may not be read yet, without copying it for every request of a pipeline.
    func keep(_ input: [UInt8], from start: Int) {
        (stash, stashStart) = (input, start)
    }

    /// Takes what was kept, and from where it has not been read.
    func takeKept() -> (input: [UInt8], start: Int) {
        defer { (stash, stashStart) = ([], 0) }
        return (stash, stashStart)
    }
}
