/// A task whose result several callers may wait for.
///
/// A caller whose own task is cancelled gets a `CancellationError` at once, but the shared task
/// continues for the others.
final class SharedTask<Success: Sendable>: Sendable {
    private let isOver = ChangeMonitor(false)
    private let task: Task<Success, any Error>

    init(_ body: @escaping @Sendable () async throws -> Success) {
        task = Task { [isOver] in
            defer { isOver.update { $0 = true } }
            return try await body()
        }
    }

    /// Waits for the result.
    ///
    /// - Throws: The error of the shared task; `CancellationError` if the caller is cancelled.
    func value() async throws -> Success {
        await isOver.waitForChange(from: false)
        guard isOver.value else { throw CancellationError() }
        return try await task.value
    }
}

/// Runs operations at the same time, cancels the others when the first one ends, and returns its
/// result or throws its error.
func race<Success: Sendable>(
    _ operations: [@Sendable () async throws -> Success]
) async throws -> Success {
    try await withThrowingTaskGroup(of: Success.self) { group in
        for operation in operations { group.addTask { try await operation() } }
        defer { group.cancelAll() }
        guard let first = try await group.next() else { throw CancellationError() }
        return first
    }
}
