import FeedModel
package import HTTPServer
import HTTPTypes
import HTTPWire

/// Serves the listener for the operator: metrics, the state of the server, and the operator's page.
///
/// The listener asks for no key: a client that reaches it may read everything that it shows, and
/// may have sources fetched. It shows the titles of feeds, and nothing else of their content.
package final class AdminHandler: RequestHandler {
    private let api: FeedAPI
    private let metrics: any MetricsSource
    private let hostNames: HostNames
    /// The handler of the page's files; `nil`: there is no page.
    private let files: (any RequestHandler)?

    /// Makes a handler.
    ///
    /// - Parameter files: The handler of the page's files; `nil`: there is no page.
    package init(
        _ api: FeedAPI,
        metrics: any MetricsSource,
        hostNames: HostNames,
        files: (any RequestHandler)? = nil
    ) {
        self.api = api
        self.metrics = metrics
        self.hostNames = hostNames
        self.files = files
    }

    package func receive(_ request: Request, _ label: inout RequestLabel) -> Reply {
        do throws(Problem) {
            guard hostNames.includes(hostOf: request.head) else { throw .otherAdminHost }
            return try answer(request)
        } catch {
            return .response(error.response)
        }
    }

    private func answer(_ request: Request) throws(Problem) -> Reply {
        let (head, route) = (request.head, try Route(request.head))
        guard route.resource.isForOperator else {
            if let files, route.resource.isFile {
                if head.string(head.target) == "/" { return .response(AdminHandler.redirection) }
                return files.receive(request)
            }
            let page = files == nil ? "; the admin page needs --public" : " and the admin page"
            throw .notFound("here are /metrics, /healthz, /readyz, /admin/…\(page)")
        }
        let answer = try route.resource.answerForOperator(head)
        if !head.method.isRead { try AdminHandler.checkOrigin(head) }
        guard let api = api.service.newestAPI else {
            throw .overloaded("the server is stopping")
        }
        return try answer(api, RoutedRequest(request, route, forOperatorOf: metrics))
    }

    package func response(to refusal: RequestRefusal, origin: [UInt8]?) -> Response {
        FeedAPI.problem(of: refusal)?.response ?? Response(refusal)
    }
}

extension AdminHandler {
    /// Refuses a change by a page from another origin, which browsers name in Origin (the Fetch
    /// standard, "Origin header"): without keys, that page could otherwise act as the operator.
    private static func checkOrigin(_ head: RequestHead) throws(Problem) {
        guard let origin = head.value(.origin) else { return }
        if let host = head.value(.host), origin == "http://" + host { return }
        throw Problem(.key, .forbidden, "pages of other origins may change nothing here")
    }

    /// The redirection from `/` to the operator's page.
    private static let redirection = Response(
        status: .temporaryRedirect,
        fields: [
            .location: "admin.html", .cacheControl: "no-store",
            .xContentTypeOptions: "nosniff",
        ]
    )
}
