import Dispatch

/// Sends the service manager a keep-alive message at intervals (sd_notify(3), `WATCHDOG=1`), as
/// long as every event loop answers in time.
final class Watchdog: Sendable {
    /// Finds out whether all is well, and calls its argument once with the result.
    typealias Check = @Sendable (@escaping @Sendable (Bool) -> Void) -> Void

    private let queue = DispatchQueue(label: "freshet.watchdog", qos: .utility)
    private let manager: ServiceManager
    private let check: Check

    /// Makes a watchdog, which sends nothing before ``start()``.
    ///
    /// - Parameters:
    ///   - manager: The service manager.
    ///   - check: Finds out whether all loops answer.
    init(_ manager: ServiceManager, check: @escaping Check) {
        self.manager = manager
        self.check = check
    }

    /// Begins to send the message, if the manager has set a watchdog time; this goes on for as long
    /// as the process.
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
