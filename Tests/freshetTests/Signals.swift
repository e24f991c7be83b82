import Dispatch
import Glibc
import Synchronization
import Testing

@testable import freshet

/// Of a signal that nothing else in this process uses.
@Suite(.serialized) struct Signals {
    private static let queue = DispatchQueue(label: "signals")

    /// Again and again: what is lost is lost between two instructions of two threads.
    @Test func noneIsLostThatComesOnceSomebodyListens() async throws {
        for _ in 0..<200 {
            let (stream, arrival) = AsyncStream.makeStream(of: Void.self)
            let source = try SignalSource([SIGUSR2], on: Signals.queue) { arrival.yield() }
            kill(getpid(), SIGUSR2)
            for await _ in stream { break }
            source.cancel()
        }
    }

    @Test func theNextOneReachesWhoeverListensNext() async throws {
        let (stream, arrival) = AsyncStream.makeStream(of: String.self)
        let first = try SignalSource([SIGUSR2], on: Signals.queue) { arrival.yield("first") }
        first.cancel()
        let second = try SignalSource([SIGUSR2], on: Signals.queue) { arrival.yield("second") }
        kill(getpid(), SIGUSR2)
        for await name in stream {
            #expect(name == "second")
            break
        }
        second.cancel()
    }
}
