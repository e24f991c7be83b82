import Synchronization

/// Holds the part of a response that has arrived until a task takes it.
///
/// The client's thread delivers the parts, and must not be blocked, because all requests of the
/// client share it. One task at a time takes them, first the head.
final class StreamedResponse: Sendable {
    typealias Part = Result<[UInt8]?, HTTPClientError>

    private struct State {
        var head: HTTPClient.Response.Head?
        var bytes: [UInt8] = []
        var isPaused = false
        /// The end of the body: `nil` in place of bytes if the body is whole, or the error.
        var end: Part?
        /// The task that waits for a change.
        var waiter: CheckedContinuation<Void, Never>?
    }

    /// The number of bytes not yet taken at which the sender is paused.
    private let byteLimit: Int

    private let state = Mutex(State())

    init(byteLimit: Int = 256 << 10) {
        self.byteLimit = byteLimit
    }

    /// Takes the head; called at most once, before the body.
    func receive(_ head: HTTPClient.Response.Head) { change { $0.head = head } }

    /// Takes a part of the body, decompressed.
    ///
    /// - Returns: Whether the part was taken; otherwise it comes again after the loop's command
    ///   `resume`.
    func receive(_ bytes: RawSpan) -> Bool {
        bytes.withUnsafeBytes { bytes in
            change { state in
                state.isPaused = state.bytes.count >= byteLimit
                if !state.isPaused { state.bytes += bytes }
                return !state.isPaused
            }
        }
    }

    /// Ends the response, which has failed if there is an error; the last call.
    func end(_ error: HTTPClientError?) {
        change { $0.end = error.map { .failure($0) } ?? .success(nil) }
    }

    /// Whether the response has ended, or failed.
    var isOver: Bool { state.withLock { $0.end != nil } }

    /// Waits for the head.
    func head() async -> Result<HTTPClient.Response.Head, HTTPClientError> {
        await taken { state in
            if let head = state.head { return .success(head) }
            switch state.end {
            case .failure(let error)?: return .failure(error)
            case .success?: return .failure(.broken("there is no response"))
            case nil: return nil
            }
        }
    }

    /// Waits for more of the body, and calls `resume` when the sender was paused.
    func part(resume: () -> Void) async -> Part {
        let (part, wasPaused) = await taken { state -> (Part, Bool)? in
            if state.bytes.isEmpty { return state.end.map { ($0, false) } }
            defer { (state.bytes, state.isPaused) = ([], false) }
            return (.success(state.bytes), state.isPaused)
        }
        if wasPaused { resume() }
        return part
    }

    /// Changes the state, and wakes the task that waits for that.
    private func change<Value: Sendable>(_ body: (inout State) -> Value) -> Value {
        let (value, waiter) = state.withLock { state in
            (body(&state), state.waiter.take())
        }
        waiter?.resume()
        return value
    }

    /// Waits until the state has what `take` takes out of it.
    private func taken<Value: Sendable>(_ take: (inout State) -> Value?) async -> Value {
        while true {
            var value: Value?
            await withCheckedContinuation { waiter in
                state.withLock { state in
                    precondition(state.waiter == nil, "one task at a time reads a response")
                    value = take(&state)
                    if value == nil { state.waiter = waiter }
                }
                if value != nil { waiter.resume() }
            }
            if let value { return value }
        }
    }
}
