import FeedClient
import FeedModel
import Foundation

extension ServiceOptions {
    /// Asks the server that is meant, and says of what and of whom it was when that fails.
    ///
    /// - Parameters:
    ///   - feed: What it is about.
    ///   - body: Asks.
    /// - Returns: What it gives.
    /// - Throws: ``CommandFailure`` in the place of ``FeedServiceError``.
    func asking<Result>(
        about feed: FeedName? = nil,
        _ body: (FeedService) async throws -> Result
    ) async throws -> Result {
        let environment = Environment()
        let service = try service(environment)
        do {
            return try await body(service)
        } catch let error as FeedServiceError {
            let hasKey = (key ?? environment.keys.first) != nil
            throw error.failure(about: feed, at: service.baseURL, hasKey: hasKey)
        }
    }
}

extension FeedServiceError {
    /// What to say to a person at a prompt.
    func failure(about feed: FeedName?, at server: URL, hasKey: Bool) -> CommandFailure {
        let place = feed.map { "\($0) at \(server.absoluteString)" } ?? server.absoluteString
        switch self {
        case .unreachable(let reason):
            return .other(
                "no answer from \(server.absoluteString): \(reason)\n"
                    + "is it running there? --server or FRESHET_SERVER say where it is"
            )
        case .problem(401, _, let detail) where !hasKey:
            return .other("\(place): \(detail) (401)\n--key or FRESHET_KEY give one")
        case .problem(let status, _, _) where status == 400 || status == 422:
            return CommandFailure(message: "\(place): \(self)", status: CommandFailure.usageStatus)
        case .problem, .unexpected, .noKey: return .other("\(place): \(self)")
        }
    }
}
