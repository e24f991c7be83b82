import FeedClient
import FeedModel
import Foundation
import HTTPClient

extension ServiceOptions {
    /// Sends a request to the server that the options name; a failure names the server and the
    /// feed.
    ///
    /// - Parameters:
    ///   - feed: The feed that the request is about.
    ///   - body: The request.
    /// - Returns: The result of `body`.
    /// - Throws: ``CommandFailure`` instead of ``FeedServiceError``.
    func asking<Result>(
        about feed: FeedName? = nil,
        _ body: (FeedService) async throws -> Result
    ) async throws -> Result {
        let environment = Environment()
        let service = try service(environment)
        return try await naming(service, environment, about: feed) { try await body(service) }
    }

    /// Runs `body` with a server; a failure names the server and the feed.
    ///
    /// - Parameters:
    ///   - service: The server.
    ///   - environment: The environment, which may have a key.
    ///   - feed: The feed that the request is about.
    ///   - body: The work with the server.
    /// - Returns: The result of `body`.
    /// - Throws: ``CommandFailure`` in the place of ``FeedServiceError``.
    func naming<Result>(
        _ service: FeedService,
        _ environment: Environment,
        about feed: FeedName? = nil,
        _ body: () async throws -> Result
    ) async throws -> Result {
        do {
            return try await body()
        } catch let error as FeedServiceError {
            let hasKey = try environment.key(key) != nil
            throw error.failure(about: feed, at: service.baseURL, hasKey: hasKey)
        }
    }
}

extension FeedServiceError {
    /// Runs a command that makes its own edits, and removes the position of a fault from its
    /// errors, because the user has not seen the edits.
    static func withoutPlaces<Result>(_ body: () async throws -> Result) async throws -> Result {
        do {
            return try await body()
        } catch let error as FeedServiceError {
            throw error.withoutPlaces
        }
    }

    /// The error without the number of the edit and without the position in the body.
    var withoutPlaces: FeedServiceError {
        guard case .problem(let status, let type, var detail) = self else { return self }
        if detail.hasSuffix(")"), let place = detail.ranges(of: " (line ").last {
            detail.removeSubrange(place.lowerBound...)
        }
        if detail.hasPrefix("edits["), let end = detail.firstRange(of: "]: ") {
            detail.removeSubrange(..<end.upperBound)
        }
        return .problem(status: status, type: type, detail: detail)
    }

    /// Returns the failure in words for a person at a prompt.
    func failure(about feed: FeedName?, at server: URL, hasKey: Bool) -> CommandFailure {
        let place = feed.map { "\($0) at \(server.shown)" } ?? server.shown
        switch self {
        case .unreachable(let reason):
            let isUntrusted = reason.hasPrefix(HTTPClientError.tlsWords)
            let hint =
                isUntrusted
                ? "--cacert FILE (FRESHET_CACERT) trusts an authority of your own; a server "
                    + "without TLS is at http://"
                : "is it running there? --server or FRESHET_SERVER say where it is"
            return .other("no answer from \(server.shown): \(reason)\n\(hint)")
        case .problem(401, _, let detail) where !hasKey:
            return .other("\(place): \(detail) (401)\n--key or FRESHET_KEY give one")
        case .problem(let status, _, _) where status == 400 || status == 422:
            return CommandFailure(
                message: "\(place): \(debugDescription)",
                status: CommandFailure.usageStatus
            )
        case .problem, .unexpected, .noKey: return .other("\(place): \(debugDescription)")
        }
    }
}
