import FeedModel
import FeedStore
import HTTPServer
import HTTPTypes
import HTTPWire

/// Answers requests for the server's health, and for the pages that explain its errors.
extension FeedAPI {
    /// `GET /healthz`: whether the process answers.
    func readHealth() -> Reply { plain("alive\n") }

    /// `GET /readyz`: whether the feeds are loaded, and whether any requests are refused.
    ///
    /// - Throws: `503` if the server is not ready.
    func readReadiness() throws(Problem) -> Reply { plain(try readiness()) }

    /// Returns the content of `/readyz`.
    ///
    /// - Throws: `503` if the server is not ready.
    func readiness() throws(Problem) -> String {
        guard service.upstream?.knowsAllFeeds != false else {
            throw .unavailable(.notReady, "the feeds are being loaded", retryAfter: 1...3)
        }
        if let time = service.upstream?.cutOffTime, time >= configuration.staleTime {
            throw .unavailable(
                .notReady,
                "nothing was heard for \(time.components.seconds) s of what other servers publish",
                retryAfter: 1...10
            )
        }
        if let trouble = service.upstream?.trouble {
            throw .unavailable(.notReady, trouble, retryAfter: 1...10)
        }
        var reasons = service.work.refusals.reasons
        if let trouble = store.journal?.trouble ?? service.work.refusals.lossReason {
            reasons.append("publishes are refused: \(trouble)")
        }
        guard !reasons.isEmpty else { return "ready\n" }
        // A degraded server is still `200`, because load balancers go by the status: reads work,
        // and if this server refuses requests for load, the others would soon refuse them, too.
        return "degraded: " + reasons.joined(separator: "; ") + "\n"
    }

    /// `GET /problems/{name}`: the page that explains a kind of problem.
    ///
    /// - Throws: `404` for an unknown name.
    func readProblem(_ request: borrowing RoutedRequest) throws(Problem) -> Reply {
        let name = ExactString(request.head.text(request.route.feed))
        guard let kind = ProblemKind.allCases.first(where: { ExactString($0.rawValue) == name })
        else { throw .notFound("there is no such kind of problem") }
        return .response(kind.page)
    }

    private func plain(_ text: String) -> Reply {
        let fields = HTTPFields.notStored("text/plain; charset=utf-8")
        return .response(Response(status: .ok, fields: fields, body: .bytes(Array(text.utf8))))
    }
}
