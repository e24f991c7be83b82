import Dispatch
import HTTPServer
import Synchronization

/// A thread of low priority that runs submitted work, one piece after the other.
final class SourceWorker: Sendable {
    private let waiting = Mutex<[@Sendable () -> Void]>([])
    private let semaphore = DispatchSemaphore(value: 0)

    init() {
        let (waiting, semaphore) = (Waiting(waiting: { [weak self] in self?.next() }), semaphore)
        _ = WorkerThread.start(niceness: 10) {
            while true {
                semaphore.wait()
                guard let work = waiting.waiting() else { return }
                work()
            }
        }
    }

    deinit { semaphore.signal() }

    private struct Waiting: Sendable {
        let waiting: @Sendable () -> (@Sendable () -> Void)?
    }

    func submit(_ work: @escaping @Sendable () -> Void) {
        waiting.withLock { $0.append(work) }
        semaphore.signal()
    }

    private func next() -> (@Sendable () -> Void)? {
        waiting.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    }
}
