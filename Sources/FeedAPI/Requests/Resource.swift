import FeedModel
import HTTPServer
import HTTPTypes
import HTTPWire

/// A row of the table of resources: all that the server knows of one of its paths but how it is
/// answered.
///
/// A new route is a row in ``table`` and the functions that it names. A row is an object, so that
/// no request copies one: all loops would count the references to its parts.
final class Resource: Sendable {
    typealias Answer =
        @Sendable (FeedAPI, borrowing RoutedRequest) throws(Problem) -> Reply

    /// A method that is none of GET, HEAD and OPTIONS, and its function.
    struct Change: Sendable {
        let method: RequestHead.Method
        /// Whether it reads, and counts as a read where requests are limited.
        var isRead = false
        let answer: Answer

        init(_ method: RequestHead.Method, isRead: Bool = false, _ answer: @escaping Answer) {
            self.method = method
            self.isRead = isRead
            self.answer = answer
        }
    }

    /// The publishes that a server refuses when it follows another.
    enum Refusal: Sendable {
        case nothing
        case changes
        /// Changes and reads, which only publishers may make.
        case everything
    }

    /// The feeds and versions that a read names: a server that follows another may have to ask for
    /// them first.
    enum NamedFeeds: Sendable {
        case none
        /// All feeds that the caller may read.
        case list
        /// The feed of the path, in versions that the query and the conditions name.
        case feed
        /// The start of a stream of the feed of the path.
        case stream
        /// The feeds of a pull.
        case pull
    }

    /// The access by the listener for the operator, where no key is needed.
    struct OperatorAccess: Sendable {
        typealias Answer =
            @Sendable (FeedAPI, any MetricsSource, RequestHead, Route) throws(Problem)
            -> Reply

        /// The methods that it takes there, as in Allow.
        let methods: String
        let answer: Answer

        static func get(_ answer: @escaping Answer) -> Self { Self(methods: "GET, HEAD", answer) }
        static func post(_ answer: @escaping Answer) -> Self { Self(methods: "POST", answer) }

        func takes(_ method: RequestHead.Method) -> Bool {
            methods.split(separator: ", ").contains { $0 == method.name }
        }

        private init(methods: String, _ answer: @escaping Answer) {
            (self.methods, self.answer) = (methods, answer)
        }
    }

    /// The path in which `{…}` stands for what differs; the route's name in the metrics.
    let name: String
    let pattern: PathPattern?
    /// Whether a key that is not known is refused, whatever is asked.
    let isGuarded: Bool
    /// Whether it is answered also at the limit of connections: it is cheap, and asks for the
    /// server's health.
    let isEssential: Bool
    /// Whether it is there only where metrics are served on this listener.
    let needsMetrics: Bool
    /// Whether the path may be that of a file of the web client.
    let isFile: Bool
    /// Whether its path ends in the name of a format for feed readers.
    let isFormatted: Bool
    let names: NamedFeeds
    let refusal: Refusal
    /// The fields of an answer to OPTIONS that say what media types its methods take.
    let acceptedTypes: HTTPFields
    /// Answers GET and HEAD, and a QUERY whose body was read; `nil`: it cannot be read.
    let read: Answer?
    let changes: [Change]
    /// The methods that it takes, as in Allow.
    let methods: String
    let forOperator: OperatorAccess?

    /// Makes a row.
    ///
    /// - Parameters:
    ///   - segments: The segments of its path; none: no path matches it.
    ///   - name: The name in the metrics, where it is not the path.
    ///   - allowed: The methods that it takes, where they are not those with functions.
    private init(
        _ segments: [PathPattern.Segment] = [],
        name: String? = nil,
        guarded isGuarded: Bool = false,
        essential isEssential: Bool = false,
        needsMetrics: Bool = false,
        isFile: Bool = false,
        names: NamedFeeds = .none,
        refuses refusal: Refusal = .nothing,
        accepts acceptedTypes: HTTPFields = [:],
        allowed: String? = nil,
        read: Answer? = nil,
        _ changes: [Change] = [],
        forOperator: OperatorAccess? = nil
    ) {
        let pattern = segments.isEmpty ? nil : PathPattern(segments)
        self.pattern = pattern
        self.name = name ?? pattern?.text ?? ""
        isFormatted = pattern?.isFormatted ?? false
        self.isGuarded = isGuarded
        self.isEssential = isEssential
        self.needsMetrics = needsMetrics
        self.isFile = isFile
        self.names = names
        self.refusal = refusal
        self.acceptedTypes = acceptedTypes
        self.read = read
        self.changes = changes
        self.forOperator = forOperator
        let reads = read == nil ? [] : ["GET", "HEAD"]
        let all = reads + changes.map(\.method.name) + ["OPTIONS"]
        methods = allowed ?? all.joined(separator: ", ")
    }

    /// The methods of resources that can only be read, as in Allow.
    static let readMethods = "GET, HEAD, OPTIONS"
}

extension Resource {
    /// All resources, first those that have no path of their own: 0 is a request that is refused
    /// before its path is known, as in an empty ``HTTPServer/RequestLabel``.
    static let table: [Resource] =
        [
            Resource(name: "other"),
            Resource(name: "*", allowed: "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS"),
            Resource(name: "/feeds/{feed}/…", guarded: true, allowed: readMethods),
            Resource(name: "nothing", allowed: readMethods),
            Resource(name: "files", isFile: true, allowed: readMethods),
        ] + paths

    /// The index in ``table`` of `*`, the server as a whole.
    static let server: UInt8 = 1
    /// The index of paths below a feed's that name nothing.
    static let belowFeeds: UInt8 = 2
    /// The index of other paths of the API's that name nothing.
    static let nothing: UInt8 = 3
    /// The index of paths that are not the API's.
    static let files: UInt8 = 4

    /// The patterns of the resources that have a path, whose indices begin at ``firstPath``.
    static let patterns: [PathPattern] = paths.compactMap(\.pattern)
    static let firstPath: UInt8 = 5

    /// The resources that have a path. A request is compared with one after the other: those that
    /// are asked for often come first.
    private static let paths: [Resource] = [
        // What ends in a format is no feed's name, and publishes to it are told so.
        Resource(
            ["feeds", .formatted],
            guarded: true,
            names: .feed,
            allowed: readMethods,
            read: { api, request throws(Problem) in try api.readFormat(request) },
            [
                Change(.put) { api, request throws(Problem) in try api.putFeed(request) },
                Change(.patch) { api, request throws(Problem) in try api.patchFeed(request) },
                Change(.delete) { api, request throws(Problem) in try api.deleteFeed(request) },
            ]
        ),
        Resource(
            ["feeds", .any("feed")],
            guarded: true,
            names: .feed,
            refuses: .changes,
            accepts: [.acceptPatch: BodyType.feedPatches.list],
            read: { api, request throws(Problem) in try api.readFeed(request) },
            [
                Change(.put) { api, request throws(Problem) in try api.putFeed(request) },
                Change(.patch) { api, request throws(Problem) in try api.patchFeed(request) },
                Change(.delete) { api, request throws(Problem) in try api.deleteFeed(request) },
            ]
        ),
        Resource(
            ["feeds", .any("feed"), "items"],
            guarded: true,
            names: .feed,
            refuses: .changes,
            read: { api, request throws(Problem) in try api.readItems(request) },
            [Change(.post) { api, request throws(Problem) in try api.postItem(request) }]
        ),
        Resource(
            ["feeds", .any("feed"), "items", .any("id")],
            guarded: true,
            names: .feed,
            refuses: .changes,
            accepts: [.acceptPatch: BodyType.itemPatches.list],
            read: { api, request throws(Problem) in try api.readItem(request) },
            [
                Change(.put) { api, request throws(Problem) in try api.putItem(request) },
                Change(.patch) { api, request throws(Problem) in try api.patchItem(request) },
                Change(.delete) { api, request throws(Problem) in try api.deleteItem(request) },
            ]
        ),
        Resource(
            ["feeds", .any("feed"), "outline"],
            guarded: true,
            names: .feed,
            read: { api, request throws(Problem) in try api.readOutline(request) }
        ),
        Resource(
            ["feeds", .any("feed"), "sections", .any("id")],
            guarded: true,
            names: .feed,
            read: { api, request throws(Problem) in try api.readSection(request) }
        ),
        Resource(
            ["feeds", .any("feed"), "events"],
            guarded: true,
            names: .stream,
            read: { api, request throws(Problem) in try api.readFeedEvents(request) }
        ),
        Resource(
            ["feeds", .any("feed"), "versions"],
            guarded: true,
            refuses: .everything,
            read: { api, request throws(Problem) in try api.readVersions(request) }
        ),
        Resource(
            ["feeds", .any("feed"), "versions", .any("token")],
            guarded: true,
            refuses: .changes,
            [
                Change(.delete) { api, request throws(Problem) in
                    try api.forgetVersion(request)
                }
            ]
        ),
        Resource(
            ["feeds", .any("feed"), "restore"],
            guarded: true,
            refuses: .changes,
            [Change(.post) { api, request throws(Problem) in try api.restore(request) }]
        ),
        Resource(
            ["feeds", .any("feed"), "refresh"],
            guarded: true,
            refuses: .changes,
            [Change(.post) { api, request throws(Problem) in try api.refresh(request) }],
            forOperator: .post { api, _, head, route throws(Problem) in
                try AdminHandler.checkOrigin(head)
                return try api.refreshForOperator(head.text(route.feed))
            }
        ),
        Resource(
            ["pull"],
            guarded: true,
            names: .pull,
            accepts: [.acceptQuery: BodyType.queries],
            read: { api, request throws(Problem) in try api.readPull(request) },
            [
                Change(.query, isRead: true) { api, request throws(Problem) in
                    try api.followFeeds(request, isPull: true)
                }
            ]
        ),
        Resource(
            ["events"],
            guarded: true,
            accepts: [.acceptQuery: BodyType.queries],
            read: { api, request throws(Problem) in try api.readEvents(request) },
            [
                Change(.query, isRead: true) { api, request throws(Problem) in
                    try api.followFeeds(request, isPull: false)
                },
                Change(.post, isRead: true) { api, request throws(Problem) in
                    try api.followFeeds(request, isPull: false)
                },
            ]
        ),
        Resource(
            ["feeds"],
            guarded: true,
            names: .list,
            read: { api, request throws(Problem) in try api.readFeeds(request) }
        ),
        Resource(
            ["feeds.opml"],
            guarded: true,
            names: .list,
            read: { api, request throws(Problem) in try api.readOPML(request) }
        ),
        Resource(
            ["healthz"],
            essential: true,
            read: { api, request throws(Problem) in api.readHealth(request) },
            forOperator: .get { api, _, head, _ throws(Problem) in
                api.health(head.outcomeWithoutTag)
            }
        ),
        Resource(
            ["readyz"],
            essential: true,
            read: { api, request throws(Problem) in try api.readReadiness(request) },
            forOperator: .get { api, _, head, _ throws(Problem) in
                try api.readiness(head.outcomeWithoutTag)
            }
        ),
        Resource(
            ["metrics"],
            needsMetrics: true,
            read: { api, request throws(Problem) in try api.readMetrics(request) },
            forOperator: .get { _, metrics, head, _ throws(Problem) in
                .metrics(metrics, head) { _ in }
            }
        ),
        page(.server), page(.feeds), page(.sources), page(.keys),
        Resource(
            ["websub", .any("id")],
            read: { api, request throws(Problem) in try api.verifyPush(request) },
            [Change(.post) { api, request throws(Problem) in try api.receivePush(request) }]
        ),
        Resource(
            ["problems", .any("name")],
            read: { api, request throws(Problem) in try api.readProblem(request) }
        ),
        Resource(
            ["openapi.json"],
            isFile: true,
            read: { api, request throws(Problem) in api.readSpecification(request) }
        ),
    ]

    /// The row of a list that the operator's page shows.
    private static func page(_ page: OperatorResource) -> Resource {
        Resource(
            ["admin", .word(page.name)],
            needsMetrics: true,
            read: { api, request throws(Problem) in try api.readOperator(page, request) },
            forOperator: .get { api, metrics, head, _ throws(Problem) in
                try api.readForOperator(page, metrics, head)
            }
        )
    }
}

/// From paths and methods to functions.
extension FeedAPI {
    /// Answers a request by the function of its resource and method.
    func route(_ request: borrowing RoutedRequest) throws(Problem) -> Reply {
        let resource = request.route.resource
        let isThere = !resource.needsMetrics || configuration.metrics != nil
        if request.isRead, isThere, let read = resource.read {
            return try read(self, request)
        }
        guard request.method.isKnown else {
            let method = request.head.methodName
            throw Problem(.notImplemented, .notImplemented, "the method \(method) is not known")
        }
        guard resource.pattern != nil || request.route.index == Resource.server else {
            throw .notFound("there is nothing at this address")
        }
        guard isThere else {
            throw .notFound("metrics are on the listener of --admin, if there is one")
        }
        if request.method.isOptions { return .response(options(resource, request)) }
        guard let change = resource.changes.first(where: { $0.method == request.method }) else {
            throw .method(request.head.methodName, allowed: resource.methods)
        }
        return try change.answer(self, request)
    }

    /// Answers `OPTIONS`, without a key: the methods and media types that a resource takes.
    private func options(_ resource: Resource, _ request: borrowing RoutedRequest) -> Response {
        let isReadOnly =
            resource.refusal == .changes && resource.read != nil
            && access.isOpenlyReadOnly(request.head.text(request.route.feed))
        var fields = resource.acceptedTypes
        fields[.allow] = isReadOnly ? Resource.readMethods : resource.methods
        if isReadOnly { fields[.acceptPatch] = nil }
        builder.cors.add(to: &fields, for: request.requester)
        // All of them: a page that may not send a method is not told why it would be refused.
        builder.cors.addPreflight(to: &fields, methods: resource.methods)
        return Response(status: .noContent, fields: fields)
    }
}

extension RequestHead.Method {
    /// The name of a method that is not ``other``.
    fileprivate var name: String { "\(self)".uppercased() }
}
