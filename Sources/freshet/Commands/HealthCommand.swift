import ArgumentParser
import FeedClient

/// `freshet health`: asks a server whether it is ready, for monitoring tools.
struct HealthCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "health",
        abstract: """
            Ask a server whether it is ready; the status is 0 when it is, and 1 when it is not or \
            says nothing for 5 seconds.
            """
    )

    @OptionGroup var options: ServiceOptions

    mutating func run() async throws {
        try await options.asking { service in
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await service.checkReadiness() }
                group.addTask {
                    try await Task.sleep(for: HealthCommand.limit)
                    let seconds = HealthCommand.limit.components.seconds
                    throw FeedServiceError.unreachable("nothing within \(seconds) seconds")
                }
                try await group.next()
                group.cancelAll()
            }
        }
    }

    /// The longest wait for an answer; an error then helps a monitoring tool more than a longer
    /// wait.
    private static let limit = Duration.seconds(5)
}
