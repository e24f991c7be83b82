import Dispatch
import Foundation

/// Something that happens on another thread, awaited.
package final class Event: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    package init() {}

    package func happened() {
        semaphore.signal()
    }

    /// Waits, for at most 60 seconds.
    package func wait() -> Bool {
        semaphore.wait(timeout: .now() + .seconds(60)) == .success
    }

    /// The same where what happens may need the threads of tasks, of which there are few.
    package func awaited() async -> Bool {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: self.wait()) }
        }
    }
}
