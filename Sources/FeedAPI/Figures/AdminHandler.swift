package import HTTPServer
import HTTPTypes
package import HTTPWire

/// What a server answers on the listener for its operator: figures, and how it is.
///
/// It asks for no key: who reaches the listener may see all that it shows, which is nothing of the
/// content of feeds.
package final class AdminHandler: RequestHandler {
    private let api: FeedAPI
    private let metrics: any MetricsSource
    /// The names that it answers to; `nil`: all.
    private let hostNames: HostNames?

    /// Makes a handler.
    ///
    /// - Parameters:
    ///   - api: Says whether the server is ready.
    ///   - metrics: Where figures come from.
    ///   - hostNames: The names that it answers to; `nil`: all.
    package init(_ api: FeedAPI, metrics: any MetricsSource, hostNames: HostNames?) {
        self.api = api
        self.metrics = metrics
        self.hostNames = hostNames
    }

    package func receive(_ request: Request) -> Disposition {
        do throws(Problem) {
            if let hostNames, !hostNames.include(request.head) { throw .otherHost }
            return try answer(request)
        } catch {
            return .answer(error.response)
        }
    }

    private func answer(_ request: Request) throws(Problem) -> Disposition {
        let route: Route
        do {
            route = try Route(request.head, try TargetPlaces(request.head))
        } catch {
            throw Problem(error)
        }
        switch route {
        case .metrics, .health, .readiness: break
        default: throw .notFound("here are /metrics, /healthz and /readyz")
        }
        guard request.head.method == .get || request.head.method == .head else {
            throw .method(request.head.methodName, allowed: "GET, HEAD")
        }
        if route == .metrics { return .metrics(metrics, request.head) { _ in } }
        guard let api = api.currentConfiguration.api else {
            throw .overloaded("the server is stopping")
        }
        return try api.health(route)
    }

    package func refusal(_ error: RequestError) -> Response { Problem(error).response }

    package func timedOut() -> Response { api.timedOut() }
}
