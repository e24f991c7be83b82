import Dispatch
import Foundation

/// SIGTERM, SIGINT and perhaps other signals that ask the process to stop.
struct StopSignals {
    /// A queue for the signals alone, so that they do not wait for a thread that has work.
    private static let queue = DispatchQueue(label: "freshet.signals", qos: .userInteractive)

    private let arrivals: AsyncStream<Void>
    private let numbers: [CInt]
    private let source: SignalSource

    /// Keeps the signals from ending the process; a signal before ``first()`` is not lost.
    ///
    /// - Parameter others: Signals beside SIGTERM and SIGINT.
    /// - Throws: ``CommandFailure`` where no descriptor is left.
    init(and others: [CInt] = []) throws(CommandFailure) {
        numbers = [SIGTERM, SIGINT] + others
        let (arrivals, arrival) = AsyncStream.makeStream(of: Void.self)
        self.arrivals = arrivals
        source = try SignalSource(numbers, on: StopSignals.queue) { arrival.yield() }
    }

    /// Waits for the first signal; the next one ends the process at once, as without a handler.
    func first() async {
        for await _ in arrivals { break }
        for number in numbers { StopSignals.endProcess(at: number) }
        source.cancel()
    }

    /// Has a signal end the process at once, even the first process of a container: the kernel
    /// keeps every signal from it that it does not handle (pid_namespaces(7)).
    static func endProcess(at number: CInt) {
        signal(number, getpid() == 1 ? { _exit(128 + $0) } : SIG_DFL)
    }
}
