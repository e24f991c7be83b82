import ArgumentParser
import FeedClient

/// `freshet health`: asks a server whether it is ready, for those who watch over it.
struct HealthCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "health",
        abstract: "Ask a server whether it is ready; the status is 0 when it is, else 1."
    )

    @OptionGroup var options: ServiceOptions

    mutating func run() async throws {
        try await options.service(Environment()).checkReadiness()
    }
}
