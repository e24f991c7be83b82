package import HTTPServer

extension HTTPServer {
    /// Stops, and waits for the end.
    package func stopped(within time: Duration) async {
        await withCheckedContinuation { continuation in
            stop(within: time) { continuation.resume() }
        }
    }

    /// Begins to stop.
    ///
    /// A task would not do beside calls that block, which may hold all threads
    /// that tasks have.
    package func stopping(within time: Duration) -> Event {
        let end = Event()
        stop(within: time) { end.happened() }
        return end
    }

    /// Gives it another handler, and waits until no loop asks the one before.
    package func reconfigured(
        _ handler: any RequestHandler,
        _ limits: ServerLimits = .patient
    ) {
        let done = Event()
        reconfigure(handler: handler, limits: limits) { done.happened() }
        precondition(done.wait(), "the loops take new settings")
    }
}
