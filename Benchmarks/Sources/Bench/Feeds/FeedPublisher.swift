import Dispatch
import Foundation
import Synchronization

/// A publisher who changes a feed ten times a second, another feed each time.
final class FeedPublisher: Sendable {
    private struct State {
        var number = 0
        var failure: (any Error)?
    }

    private let server: Server
    private let names: [String]
    private let state = Mutex(State())

    init(_ server: Server, _ names: [String]) {
        self.server = server
        self.names = names
    }

    /// Publishes for as long as `body` runs.
    func publish<Result>(while body: () throws -> Result) throws -> Result {
        let queue = DispatchQueue(label: "publisher")
        let timer = DispatchSource.makeTimerSource(queue: queue)
        timer.schedule(deadline: .now() + .milliseconds(50), repeating: .milliseconds(100))
        timer.setEventHandler { [self] in publishOnce() }
        timer.resume()
        let result = Swift.Result { try body() }
        timer.cancel()
        // A publish that had begun is over after this.
        queue.sync {}
        if let failure = state.withLock(\.failure) { throw failure }
        return try result.get()
    }

    private func publishOnce() {
        let number = state.withLock { state in
            state.number += 1
            return state.number
        }
        let edit = EverydayFeeds.edit(1_000_000 + number)
        let request = Server.publish("PATCH", names[number % names.count], edit)
        do {
            _ = try server.exchange(request)
        } catch {
            state.withLock { $0.failure = error }
        }
    }
}
