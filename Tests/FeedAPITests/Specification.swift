import FeedFormats
import FeedModel
import TestSupport
import Testing

@testable import FeedAPI

/// Public/openapi.json has the routes that there are, their methods and their parameters.
///
/// What it says of responses is compared by scripts/test-openapi.
@Suite struct Specification {
    /// The paths of the specification. A new route has to be given one, or none, to compile.
    enum Resource: String, CaseIterable {
        case feeds = "/feeds"
        case opml = "/feeds.opml"
        case feed = "/feeds/{feed}"
        case jsonFeed = "/feeds/{feed}.json"
        case atom = "/feeds/{feed}.atom"
        case rss = "/feeds/{feed}.rss"
        case items = "/feeds/{feed}/items"
        case item = "/feeds/{feed}/items/{id}"
        case outline = "/feeds/{feed}/outline"
        case section = "/feeds/{feed}/sections/{id}"
        case refresh = "/feeds/{feed}/refresh"
        case versions = "/feeds/{feed}/versions"
        case version = "/feeds/{feed}/versions/{token}"
        case restore = "/feeds/{feed}/restore"
        case feedEvents = "/feeds/{feed}/events"
        case pull = "/pull"
        case events = "/events"
        case health = "/healthz"
        case readiness = "/readyz"
        case metrics = "/metrics"
        case adminServer = "/admin/server"
        case adminFeeds = "/admin/feeds"
        case adminSources = "/admin/sources"
        case adminKeys = "/admin/keys"
        case push = "/websub/{id}"
        case problem = "/problems/{name}"
        case specification = "/openapi.json"

        /// - Returns: `nil` where nothing is specified.
        init?(_ route: Route) {
            switch route {
            case .feeds: self = .feeds
            case .opml: self = .opml
            case .feed: self = .feed
            case .items: self = .items
            case .item: self = .item
            case .outline: self = .outline
            case .section: self = .section
            case .refresh: self = .refresh
            case .versions: self = .versions
            case .version: self = .version
            case .restore: self = .restore
            case .feedEvents: self = .feedEvents
            case .pull: self = .pull
            case .events: self = .events
            case .health: self = .health
            case .readiness: self = .readiness
            case .metrics: self = .metrics
            case .admin(.server): self = .adminServer
            case .admin(.feeds): self = .adminFeeds
            case .admin(.sources): self = .adminSources
            case .admin(.keys): self = .adminKeys
            case .problem: self = .problem
            case .specification: self = .specification
            case .format(_, .jsonFeed): self = .jsonFeed
            case .format(_, .atom): self = .atom
            case .format(_, .rss): self = .rss
            case .push: self = .push
            case .server, .nowhere, .nothing, .outside: return nil
            }
        }

        var route: Route {
            let part = TargetPart(range: 0..<0, isEncoded: false)
            return switch self {
            case .feeds: .feeds
            case .opml: .opml
            case .feed: .feed(part)
            case .jsonFeed: .format(part, .jsonFeed)
            case .atom: .format(part, .atom)
            case .rss: .format(part, .rss)
            case .items: .items(part)
            case .item: .item(part, id: part)
            case .outline: .outline(part)
            case .section: .section(part, id: part)
            case .refresh: .refresh(part)
            case .versions: .versions(part)
            case .version: .version(part, token: part)
            case .restore: .restore(part)
            case .feedEvents: .feedEvents(part)
            case .pull: .pull
            case .events: .events
            case .health: .health
            case .readiness: .readiness
            case .metrics: .metrics
            case .adminServer: .admin(.server)
            case .adminFeeds: .admin(.feeds)
            case .adminSources: .admin(.sources)
            case .adminKeys: .admin(.keys)
            case .push: .push(part)
            case .problem: .problem(part)
            case .specification: .specification
            }
        }

        /// An address of that path.
        var target: String {
            rawValue.replacing("{feed}", with: "news").replacing("{id}", with: "a1")
                .replacing("{name}", with: "key").replacing("{token}", with: "aaaaaaaa.1")
        }
    }

    private let page: TestJSON

    init() throws {
        page = try #require(TestJSON(ProtocolDocument.text(of: "Public/openapi.json")))
    }

    /// The methods that are written out; HEAD goes with GET, and OPTIONS with everything.
    private func methods(_ resource: Resource) -> Set<String> {
        let path = page["paths"]?[ExactString(resource.rawValue)]
        return Set((path?.members.keys).map { $0.map(\.string) } ?? []).subtracting(["parameters"])
    }

    @Test func hasThePathsThatThereAre() {
        let paths = (page["paths"]?.members.keys).map { $0.map(\.string) } ?? []
        #expect(Set(paths) == Set(Resource.allCases.map(\.rawValue)))
    }

    @Test(arguments: Resource.allCases)
    func hasTheMethodsOf(_ resource: Resource) async throws {
        #expect(Resource(resource.route) == resource)
        let allowed = Set(
            resource.route.methods.lowercased().split(separator: ", ").map(String.init)
        )
        let methods = methods(resource)
        // OpenAPI 3.1 has no word for QUERY.
        #expect(methods == allowed.subtracting(["head", "options", "query"]))
        #expect(methods.contains("get") == allowed.contains("head"))
        let api = API { $0.metrics = SomeMetrics() }
        let answer = try await api.send("OPTIONS", resource.target)
        #expect(answer.status == 204)
        #expect(answer["Allow"] == resource.route.methods)
    }

    /// Publishes refuse parameters that they do not know.
    @Test(arguments: Resource.allCases.filter { $0.rawValue.hasPrefix("/feeds/") })
    func hasTheParametersOfPublishesTo(_ resource: Resource) async throws {
        let api = API()
        for method in methods(resource).subtracting(["get"]) {
            let known = parameters(resource, method)
            for parameter in Query.Parameter.allCases {
                let target = resource.target + "?\(parameter.name)=%20"
                let answer = try await api.send(method.uppercased(), target)
                let isKnown = !answer.detail.contains("is not known here")
                #expect(known.contains(parameter.name) == isKnown, "\(method) \(target)")
            }
        }
    }

    /// The parameters in the query of a method.
    private func parameters(_ resource: Resource, _ method: String) -> Set<String> {
        let operation = page["paths"]?[ExactString(resource.rawValue)]?[ExactString(method)]
        let list = (operation?["parameters"]?.list ?? []).map { parameter in
            let name = parameter["$ref"]?.string?.split(separator: "/").last ?? ""
            return page["components"]?["parameters"]?[ExactString(String(name))] ?? parameter
        }
        return Set(list.filter { $0["in"] == "query" }.compactMap { $0["name"]?.string })
    }

    @Test func hasTheKindsOfProblems() {
        let kinds = Set(ProblemKind.allCases.map(\.rawValue))
        let types = page["components"]?["schemas"]?["Problem"]?["properties"]?["type"]?["enum"]
        #expect(Set(types?.list.compactMap(\.string) ?? []) == Set(kinds.map { "/problems/\($0)" }))
        let name = page["paths"]?["/problems/{name}"]?["parameters"]?[0]?["schema"]?["enum"]
        #expect(Set(name?.list.compactMap(\.string) ?? []) == kinds)
    }
}
