import CLinux
import Dispatch
import Glibc
import Synchronization

/// Signals, as something that calls back.
///
/// Dispatch has a source for them as well. It takes a signal over some time after it was made, and
/// gives it back some time after it was cancelled: what comes meanwhile is lost.
struct SignalSource {
    private let sources: [any DispatchSourceRead]

    /// From now on they do not end the process, and each arrival is told, those that come at the
    /// same time perhaps once. A later source of a signal takes the place of an earlier one.
    ///
    /// - Parameter arrived: Called on `queue`.
    /// - Throws: Where no descriptor is left.
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

    /// Tells of no more; whoever sends one of them reaches nobody.
    func cancel() {
        for source in sources { source.cancel() }
    }
}

/// Where the signals that came are counted: in an eventfd(2) each, which a handler may write to
/// (signal-safety(7)).
private enum SignalCounter {
    /// By number; they stay open, since a handler may be about to write.
    private static let descriptors = InlineArray<65, Atomic<CInt>> { _ in Atomic(-1) }

    /// Counts a signal from now on.
    ///
    /// - Returns: The descriptor.
    static func start(_ number: CInt) throws(CommandFailure) -> CInt {
        var descriptor = descriptors[Int(number)].load(ordering: .acquiring)
        if descriptor < 0 {
            descriptor = eventfd(0, CInt(EFD_CLOEXEC | EFD_NONBLOCK))
            guard descriptor >= 0 else {
                throw .other("signals: eventfd: \(unsafe String(cString: strerror(errno)))")
            }
            descriptors[Int(number)].store(descriptor, ordering: .releasing)
        }
        signal(number) { number in
            // A handler leaves errno as it was.
            let before = errno
            eventfd_write(SignalCounter.descriptors[Int(number)].load(ordering: .acquiring), 1)
            errno = before
        }
        return descriptor
    }
}
