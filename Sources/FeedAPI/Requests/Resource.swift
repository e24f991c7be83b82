import FeedModel
import HTTPServer
import HTTPTypes
import HTTPWire

/// A row of the table of resources: the path, the methods with their functions, and the rules for
/// requests to it.
///
/// A new route needs a row in ``paths``, and the functions that the row names. A row is an object:
/// a value would make every request change the reference counts of its parts, which all event loops
/// share.
final class Resource: Sendable {
    typealias Answer =
        @Sendable (FeedAPI, borrowing RoutedRequest) throws(Problem) -> Reply

    /// A method other than GET, HEAD and OPTIONS, with its function.
    struct Change: Sendable {
        let method: RequestHead.Method
        /// Whether the method only reads, so that rate limits count it as a read.
        var isRead = false
        let answer: Answer

        init(_ method: RequestHead.Method, isRead: Bool = false, _ answer: @escaping Answer) {
            self.method = method
            self.isRead = isRead
            self.answer = answer
        }
    }

    /// The requests to a resource that a mirror refuses, because it takes all its feeds from
    /// another server.
    enum Refusal: Sendable {
        case nothing
        case changes
        /// Changes, and reads that only publishers may make.
        case everything
    }

    /// The feeds and versions that a request names.
    ///
    /// A server that mirrors another one, or shares a database, asks for newer versions before it
    /// answers the request.
    enum NamedFeeds: Sendable {
        case none
        /// All feeds that the caller may read.
        case list
        /// The feed in the path, with the versions in the query and the conditions.
        case feed
        /// The feed in the path, with the version at which its stream starts.
        case stream
        /// The feeds of a pull, with the versions that the client has.
        case pull
        /// The feed in the path, with the version that a publisher lists from, restores or removes.
        case versions
    }

    /// The path, with `{…}` for its variable segments; the metrics use it as the route's name.
    let name: String
    let pattern: PathPattern?
    /// Whether the key of a request is checked: a request with an unknown key is refused, even if
    /// it needs no key.
    let isGuarded: Bool
    /// Whether the route is answered even at the limit of connections, since it is cheap and asks
    /// for the server's health.
    let isEssential: Bool
    /// Whether the route exists only if this listener serves metrics.
    let needsMetrics: Bool
    /// Whether the path may name a file of the web client.
    let isFile: Bool
    /// Whether the path ends in the name of a format for feed readers.
    let isFormatted: Bool
    /// The feeds and versions that a request names; a publish names some only where they are
    /// ``NamedFeeds/versions``.
    let names: NamedFeeds
    /// The requests that a mirror refuses.
    let refusal: Refusal
    /// The fields of the response to OPTIONS that list the media types of request bodies.
    let acceptedTypes: HTTPFields
    /// The function for GET and HEAD, and for a QUERY whose body was read; `nil` if the resource
    /// cannot be read.
    let read: Answer?
    /// The methods other than GET, HEAD and OPTIONS.
    let changes: [Change]
    /// The allowed methods, as a value of Allow.
    let methods: String
    /// Whether the operator's listener, which needs no key, serves the resource, too.
    let isForOperator: Bool

    /// Makes a row.
    ///
    /// - Parameters:
    ///   - segments: The segments of the path; empty: no path matches the row.
    ///   - name: The name in the metrics; `nil`: the path.
    ///   - allowed: The allowed methods; `nil`: the methods that have functions, and OPTIONS.
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
        forOperator isForOperator: Bool = false
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
        self.isForOperator = isForOperator
        let reads = read == nil ? [] : ["GET", "HEAD"]
        let all = reads + changes.map(\.method.name) + ["OPTIONS"]
        methods = allowed ?? all.joined(separator: ", ")
    }

    /// The methods of resources that can only be read, as a value of Allow.
    static let readMethods = "GET, HEAD, OPTIONS"

    /// Returns the function for a method on the operator's listener, where OPTIONS is not answered.
    ///
    /// - Throws: `405` for any other method than those of the function.
    func answerForOperator(_ head: RequestHead) throws(Problem) -> Answer {
        if head.method.isRead, let read {
            return { api, request throws(Problem) in
                api.conditional(try read(api, request), request)
            }
        }
        guard let change = changes.first(where: { $0.method == head.method }) else {
            let allowed = (read == nil ? [] : ["GET", "HEAD"]) + changes.map(\.method.name)
            throw .method(head.methodName, allowed: allowed.joined(separator: ", "))
        }
        return change.answer
    }
}

extension Resource {
    /// All resources, beginning with the resources without a pattern.
    ///
    /// Index 0 stands for requests that are refused before their path is known. An empty
    /// ``HTTPServer/RequestLabel`` has this index, too.
    static let table: [Resource] =
        [
            Resource(name: "other"),
            Resource(name: "*", allowed: "GET, HEAD, QUERY, POST, PUT, PATCH, DELETE, OPTIONS"),
            Resource(name: "/feeds/{feed}/…", guarded: true, allowed: readMethods),
            Resource(name: "nothing", allowed: readMethods),
            Resource(name: "files", isFile: true, allowed: readMethods),
        ] + paths

    /// The index in ``table`` of the target `*`, which stands for the whole server (RFC 9110 §7.1).
    static let server: UInt8 = 1
    /// The index of unknown paths below a feed's path.
    static let belowFeeds: UInt8 = 2
    /// The index of other unknown paths of the API.
    static let nothing: UInt8 = 3
    /// The index of all other paths, which may be files.
    static let files: UInt8 = 4

    /// The patterns of the resources that have one, in the order of ``table``.
    static let patterns: [PathPattern] = paths.compactMap(\.pattern)
    /// The index in ``table`` of the resource with the first of ``patterns``.
    static let firstPath: UInt8 = 5

    /// The resources with a pattern.
    ///
    /// The patterns are compared with a path one after another, so the most frequent ones come
    /// first.
    private static let paths: [Resource] = [
        // No feed has a name that ends in a format's name. The functions for publishes report that
        // error.
        Resource(
            ["feeds", .formatted],
            guarded: true,
            names: .feed,
            allowed: readMethods,
            read: { api, request throws(Problem) in try api.readFormat(request) },
            feedChanges
        ),
        Resource(
            ["feeds", .any("feed")],
            guarded: true,
            names: .feed,
            refuses: .changes,
            accepts: [.acceptPatch: BodyType.feedPatches.list],
            read: { api, request throws(Problem) in try api.readFeed(request) },
            feedChanges
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
            names: .versions,
            refuses: .everything,
            read: { api, request throws(Problem) in try api.readVersions(request) }
        ),
        Resource(
            ["feeds", .any("feed"), "versions", .any("token")],
            guarded: true,
            names: .versions,
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
            names: .versions,
            refuses: .changes,
            [Change(.post) { api, request throws(Problem) in try api.restore(request) }]
        ),
        Resource(
            ["feeds", .any("feed"), "refresh"],
            guarded: true,
            refuses: .changes,
            [Change(.post) { api, request throws(Problem) in try api.refresh(request) }],
            forOperator: true
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
            read: { api, _ throws(Problem) in api.readHealth() },
            forOperator: true
        ),
        Resource(
            ["readyz"],
            essential: true,
            read: { api, _ throws(Problem) in try api.readReadiness() },
            forOperator: true
        ),
        Resource(
            ["metrics"],
            guarded: true,
            needsMetrics: true,
            read: { api, request throws(Problem) in try api.readMetrics(request) },
            forOperator: true
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

    /// The methods that change a whole feed: PUT, PATCH and DELETE.
    private static let feedChanges = [
        Change(.put) { api, request throws(Problem) in try api.putFeed(request) },
        Change(.patch) { api, request throws(Problem) in try api.patchFeed(request) },
        Change(.delete) { api, request throws(Problem) in try api.deleteFeed(request) },
    ]

    /// Returns the row of a resource that the operator's page reads.
    private static func page(_ page: OperatorResource) -> Resource {
        Resource(
            ["admin", .word(page.name)],
            guarded: true,
            needsMetrics: true,
            read: { api, request throws(Problem) in try api.readOperator(page, request) },
            forOperator: true
        )
    }
}

/// Dispatches requests to the functions of their resources.
extension FeedAPI {
    /// Answers a request by the function of its resource and method.
    ///
    /// - Throws: `404`, `405`, `501`, and the errors of the function.
    func route(_ request: borrowing RoutedRequest) throws(Problem) -> Reply {
        let resource = request.route.resource
        if request.isRead, let read = resource.read {
            let reply = try read(self, request)
            return reply.encodedStatus == nil ? conditional(reply, request) : reply
        }
        guard request.method.isKnown else {
            let method = request.head.methodName
            throw Problem(.notImplemented, .notImplemented, "the method \(method) is not known")
        }
        guard resource.pattern != nil || request.route.index == Resource.server else {
            throw .notFound("there is nothing at this address")
        }
        guard has(resource) else { throw .noMetrics }
        if request.method.isOptions { return .response(options(resource, request)) }
        guard let change = resource.changes.first(where: { $0.method == request.method }) else {
            throw .method(request.head.methodName, allowed: resource.methods)
        }
        return try change.answer(self, request)
    }

    /// Returns whether a resource is on this listener, and not only on the operator's.
    func has(_ resource: Resource) -> Bool {
        !resource.needsMetrics || configuration.metrics != nil
    }

    /// Answers `OPTIONS` with the methods and media types that a resource accepts; it needs no key.
    private func options(_ resource: Resource, _ request: borrowing RoutedRequest) -> Response {
        let isReadOnly =
            resource.refusal == .changes && resource.read != nil
            && access.isOpenlyReadOnly(request.head.text(request.route.feed))
        var fields = resource.acceptedTypes
        fields[.allow] = isReadOnly ? Resource.readMethods : resource.methods
        if isReadOnly { fields[.acceptPatch] = nil }
        // All methods are listed here: a browser does not send others, so that the page would not
        // see the server's error.
        cors.addPreflight(to: &fields, methods: resource.methods)
        return Response(status: .noContent, fields: fields)
    }
}

extension RequestHead.Method {
    /// The name of a method that is not ``other``.
    fileprivate var name: String { "\(self)".uppercased() }
}
