import Dispatch

/// Runs tasks on a queue of its own, one piece at a time.
///
/// The threads that Swift's tasks share are as many as the machine's processors, so work of others
/// that blocks them would hold back all fetches; the pieces of a fetch are short, and its large work
/// is the pool's.
final class QueueExecutor: TaskExecutor {
    private let queue: DispatchQueue

    init(label: String) { queue = DispatchQueue(label: label) }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
    }
}
