import Dispatch
import Foundation

/// SIGTERM, SIGINT and perhaps others, as something to wait for.
struct StopSignals {
    /// Of their own: they wait for no thread that has work.
    private static let queue = DispatchQueue(label: "freshet.signals", qos: .userInteractive)

    private let arrivals: AsyncStream<Void>
    private let numbers: [CInt]
    private let source: SignalSource

    /// From now on they do not end the process; one that comes before ``first()`` is not lost.
    ///
    /// - Parameter others: Beside SIGTERM and SIGINT.
    /// - Throws: Where no descriptor is left.
    init(and others: [CInt] = []) throws(CommandFailure) {
        numbers = [SIGTERM, SIGINT] + others
        let (arrivals, arrival) = AsyncStream.makeStream(of: Void.self)
        self.arrivals = arrivals
        source = try SignalSource(numbers, on: StopSignals.queue) { arrival.yield() }
    }

    /// Waits for the first of them; the next one ends the process at once, as if nobody listened.
    func first() async {
        for await _ in arrivals { break }
        for number in numbers { StopSignals.endProcess(at: number) }
        source.cancel()
    }

    /// Has a signal end the process at once: also the first one of a container, which the kernel
    /// keeps from every signal that it does not handle (pid_namespaces(7)).
    static func endProcess(at number: CInt) {
        signal(number, getpid() == 1 ? { _exit(128 + $0) } : SIG_DFL)
    }
}
