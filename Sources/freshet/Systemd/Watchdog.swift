import Dispatch

/// Tells the service manager at intervals that all is well, as long as every event loop answers in
/// time.
final class Watchdog: Sendable {
    /// Finds out whether all is well, and calls its argument once with the result.
    typealias Check = @Sendable (@escaping @Sendable (Bool) -> Void) -> Void

    private let queue = DispatchQueue(label: "freshet.watchdog", qos: .utility)
    private let manager: ServiceManager
    private let check: Check

    /// - Parameters:
    ///   - manager: The service manager.
    ///   - check: Finds out whether all loops answer.
    init(_ manager: ServiceManager, check: @escaping Check) {
        self.manager = manager
        self.check = check
    }

    /// Begins to tell the manager, if it watches; this goes on for as long as the process.
    func start() {
        guard let time = manager.watchdogTime else { return }
        next(after: time / 3)
    }

    private func next(after time: Duration) {
        let nanoseconds = max(1_000_000, Int(time / .nanoseconds(1)))
        queue.asyncAfter(deadline: .now() + .nanoseconds(nanoseconds)) { [self] in
            check { [self] isWell in
                if isWell { manager.alive() }
                queue.async { [self] in next(after: time) }
            }
        }
    }
}
