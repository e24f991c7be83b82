import Dispatch

/// Runs tasks on a queue of its own, one piece at a time.
///
/// By default Swift runs all tasks of the process on as many threads as there are processors, so a
/// few tasks that block would hold back all fetches. One queue is enough for fetches: their pieces
/// are short, and their large work runs on the threads of `FeedAPI`.
final class QueueExecutor: TaskExecutor {
    private let queue: DispatchQueue

    init(label: String) { queue = DispatchQueue(label: label) }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
    }
}
