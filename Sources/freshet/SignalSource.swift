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
    /// - Parameters:
    ///   - numbers: The numbers of the signals, such as `SIGTERM`.
    ///   - queue: The queue on which `arrived` is called.
    ///   - arrived: The function to call.
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

    /// Replaces the usual effect of a signal by counting it in an eventfd.
    ///
    /// - Returns: The descriptor of the eventfd.
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
