package import HTTPServer

extension HTTPServer {
    /// Stops, and waits for the end.
    package func stopped(within time: Duration) async {
        await withCheckedContinuation { continuation in
            stop(within: time) { continuation.resume() }
        }
    }
}
