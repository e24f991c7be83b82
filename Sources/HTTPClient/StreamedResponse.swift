import Synchronization

/// Holds the part of a response that has arrived until a task takes it.
///
/// The client's thread delivers the parts, and must not be blocked, because all requests of the
/// client share it.
final class StreamedResponse: Sendable {
    typealias Part = Result<[UInt8]?, HTTPClientError>

    private struct State {
        var head: Result<HTTPClient.Response.Head, HTTPClientError>?
        var awaitedHead:
            CheckedContinuation<Result<HTTPClient.Response.Head, HTTPClientError>, Never>?
        var bytes: [UInt8] = []
        var isPaused = false
        /// The end of the body: `nil` in place of bytes if the body is whole, or the error.
        var end: Part?
        var awaitedPart: CheckedContinuation<Part, Never>?

        /// Takes the bytes that have arrived, or else the end; `nil`: nothing yet.
        mutating func part() -> Part? {
            if bytes.isEmpty { return end }
            defer { bytes = [] }
            return .success(bytes)
        }
    }

    /// The number of bytes not yet taken at which the sender is paused.
    private let byteLimit: Int

    private let state = Mutex(State())

    init(byteLimit: Int = 256 << 10) {
        self.byteLimit = byteLimit
    }

    /// Takes the head; called at most once, before the body.
    func receive(_ head: HTTPClient.Response.Head) {
        let awaited = state.withLock { state in
            state.head = .success(head)
            defer { state.awaitedHead = nil }
            return state.awaitedHead
        }
        awaited?.resume(returning: .success(head))
    }

    /// Takes a part of the body, decompressed.
    ///
    /// - Returns: Whether the part was taken; otherwise it comes again after
    ///   ``HTTPClient/Transfer/resume()``.
    func receive(_ bytes: RawSpan) -> Bool {
        let (isTaken, awaited, part) = bytes.withUnsafeBytes { bytes in
            state.withLock { state -> (Bool, CheckedContinuation<Part, Never>?, Part?) in
                if state.bytes.count >= byteLimit {
                    state.isPaused = true
                    return (false, nil, nil)
                }
                state.bytes += bytes
                guard let awaited = state.awaitedPart else { return (true, nil, nil) }
                state.awaitedPart = nil
                return (true, awaited, state.part())
            }
        }
        if let part { awaited?.resume(returning: part) }
        return isTaken
    }

    /// Ends the response, which has failed if there is an error; the last call.
    func end(_ error: HTTPClientError?) {
        let end: Part = error.map { .failure($0) } ?? .success(nil)
        let failure = error ?? .broken("there is no response")
        let (head, part) = state.withLock { state in
            state.end = end
            defer { (state.awaitedHead, state.awaitedPart) = (nil, nil) }
            if state.head == nil { state.head = .failure(failure) }
            return (state.awaitedHead, state.awaitedPart)
        }
        head?.resume(returning: .failure(failure))
        part?.resume(returning: end)
    }

    /// Whether the response has ended, or failed.
    var isOver: Bool { state.withLock { $0.end != nil } }

    /// Waits for the head; to be called once.
    func head() async -> Result<HTTPClient.Response.Head, HTTPClientError> {
        await withCheckedContinuation { continuation in
            let head = state.withLock { state in
                if state.head == nil { state.awaitedHead = continuation }
                return state.head
            }
            if let head { continuation.resume(returning: head) }
        }
    }

    /// Waits for more of the body.
    ///
    /// - Parameter resume: Called when the sender was paused.
    func part(resume: () -> Void) async -> Part {
        await withCheckedContinuation { continuation in
            let (part, wasPaused) = state.withLock { state in
                precondition(state.awaitedPart == nil, "one task at a time reads a body")
                let part = state.part()
                if part == nil { state.awaitedPart = continuation }
                defer { state.isPaused = false }
                return (part, state.isPaused)
            }
            if wasPaused { resume() }
            if let part { continuation.resume(returning: part) }
        }
    }
}
