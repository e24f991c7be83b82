import CLinux
import Dispatch
import Glibc
import Platform
import Synchronization

/// Calls a function when signals arrive.
///
/// A `DispatchSourceSignal` would take effect some time after it was made, and end some time after
/// it was cancelled; signals in between would be lost.
struct SignalSource {
    private let sources: [any DispatchSourceRead]

    /// Keeps the signals from ending the process, and calls `arrived` at each instead; signals that
    /// come at the same time may lead to one call.
    ///
    /// A later source for the same signal replaces an earlier one.
    ///
    /// - Throws: ``CommandFailure`` if no descriptor is left.
    init(
        _ numbers: [CInt],
        on queue: DispatchQueue,
        _ arrived: @escaping @Sendable () -> Void
    ) throws(CommandFailure) {
        var sources: [any DispatchSourceRead] = []
        for number in numbers {
            let counter = try SignalCounter.start(number)
            let source = DispatchSource.makeReadSource(fileDescriptor: counter, queue: queue)
            source.setEventHandler {
                var count = eventfd_t()
                guard unsafe eventfd_read(counter, &count) == 0 else { return }
                arrived()
            }
            source.activate()
            sources.append(source)
        }
        self.sources = sources
    }

    /// Ends the calls of the function; the signals have no effect from now on.
    func cancel() {
        for source in sources { source.cancel() }
    }
}

/// The counters of signals: an eventfd(2) for each, because a signal handler is allowed to write to
/// it (signal-safety(7)).
private enum SignalCounter {
    /// The eventfds by the numbers of their signals; they stay open, since a handler may be about
    /// to write.
    private static let descriptors = InlineArray<65, Atomic<CInt>> { _ in Atomic(-1) }

    /// Replaces the usual effect of a signal by counting it in an eventfd, and returns its
    /// descriptor.
    static func start(_ number: CInt) throws(CommandFailure) -> CInt {
        var descriptor = descriptors[Int(number)].load(ordering: .acquiring)
        if descriptor < 0 {
            descriptor = eventfd(0, CInt(EFD_CLOEXEC | EFD_NONBLOCK))
            guard descriptor >= 0 else {
                throw .other("signals: eventfd: \(SystemError.words())")
            }
            descriptors[Int(number)].store(descriptor, ordering: .releasing)
        }
        signal(number) { number in
            // The interrupted thread may be about to read errno.
            let before = errno
            eventfd_write(SignalCounter.descriptors[Int(number)].load(ordering: .acquiring), 1)
            errno = before
        }
        return descriptor
    }
}

/// SIGTERM, SIGINT and perhaps other signals that ask the process to stop.
struct StopSignals {
    /// A queue for the signals alone, so that they do not wait for a thread that has work.
    private static let queue = DispatchQueue(label: "freshet.signals", qos: .userInteractive)

    private let arrivals: AsyncStream<Void>
    private let numbers: [CInt]
    private let source: SignalSource

    /// Keeps SIGTERM, SIGINT and other signals from ending the process; a signal before ``first()``
    /// is not lost.
    ///
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

    /// Runs work until it ends, or SIGTERM, SIGINT or another of the signals cancels it; returns
    /// its result, and whether a signal came.
    ///
    /// - Throws: ``CommandFailure`` where no descriptor is left.
    static func cancel<Value: Sendable>(
        at others: [CInt] = [],
        _ work: @escaping @Sendable () async throws -> Value
    ) async throws(CommandFailure) -> (result: Result<Value, any Error>, wasStopped: Bool) {
        let signals = try StopSignals(and: others)
        let work = Task { try await work() }
        let stop = Task {
            await signals.first()
            work.cancel()
        }
        let result = await work.result
        defer { stop.cancel() }
        return (result, work.isCancelled)
    }

    /// Has a signal end the process at once, even the first process of a container: the kernel
    /// keeps every signal from it that it does not handle (pid_namespaces(7)).
    static func endProcess(at number: CInt) {
        signal(number, getpid() == 1 ? { _exit(128 + $0) } : SIG_DFL)
    }
}

/// Handles SIGHUP as a request to reload; signals during a reload lead to one more reload.
final class ReloadSignal {
    private var source: SignalSource?
    private let queue = DispatchQueue(label: "freshet.reload", qos: .utility)

    /// Keeps the signal from ending the process; a signal waits for ``start(_:)``.
    ///
    /// - Throws: ``CommandFailure`` where no descriptor is left.
    init() throws(CommandFailure) {
        _ = try SignalCounter.start(SIGHUP)
    }

    deinit { stop() }

    /// Calls `reload` on a queue of its own when the signal comes, never twice at once.
    func start(_ reload: @escaping @Sendable () -> Void) throws(CommandFailure) {
        source = try SignalSource([SIGHUP], on: queue, reload)
    }

    /// Ignores the signal from now on.
    func stop() {
        source?.cancel()
    }
}
