/// A kind of request that everyday clients send.
struct EverydayRequest: Sendable {
    /// The files with which nginx can answer such a request.
    enum Files {
        case none
        case feeds
        case others
    }

    var name: String
    var status = 200
    /// Whether the request has the tag of the client's version, and asks for a newer one.
    var hasTag = false
    var hasKey = false
    var hasOrigin = false
    /// Whether clients take only bodies that are not compressed.
    var isPlain = false
    var connects = false
    var resumes = false
    var isSecure = false
    var streams = false
    var files = Files.none
    /// The path and query of the request, for a feed and another one.
    let target: @Sendable (_ feed: Reader, _ other: Reader) -> String

    /// A feed, and a past version of it that a client has.
    struct Reader {
        let name: String
        let token: String
    }

    /// Returns the request with one of many keys.
    func withKey(_ name: String) -> EverydayRequest {
        var copy = self
        copy.name = name
        copy.hasKey = true
        return copy
    }

    /// Returns the request, each on a connection of its own.
    func connecting(
        _ name: String,
        isSecure: Bool = false,
        resumes: Bool = false
    ) -> EverydayRequest {
        var copy = self
        copy.name = name
        copy.connects = true
        copy.isSecure = isSecure
        copy.resumes = resumes
        return copy
    }
}

extension EverydayRequest {
    private init(
        _ name: String,
        status: Int = 200,
        hasTag: Bool = false,
        isPlain: Bool = false,
        files: Files = .none,
        _ target: @escaping @Sendable (_ feed: Reader, _ other: Reader) -> String
    ) {
        self.name = name
        self.status = status
        self.hasTag = hasTag
        self.isPlain = isPlain
        self.files = files
        self.target = target
    }

    static let poll = EverydayRequest("poll", status: 304, hasTag: true, files: .feeds) { feed, _ in
        "/feeds/\(feed.name)"
    }

    private static let pollOfOrigins = {
        var request = poll
        request.name = "poll, from other origins"
        request.hasOrigin = true
        return request
    }()

    private static let delta = EverydayRequest("delta") { feed, _ in
        "/feeds/\(feed.name)?since=\(feed.token)"
    }

    private static let snapshot = EverydayRequest("small snapshot", isPlain: true, files: .feeds) {
        feed,
        _ in "/feeds/\(feed.name)"
    }

    private static let pull = EverydayRequest("pull of two feeds") { feed, other in
        "/pull?feed=\(feed.name)@\(feed.token)&feed=\(other.name)@\(other.token)"
    }

    private static let rows = EverydayRequest("five rows") { feed, _ in
        "/feeds/\(feed.name)/items?limit=5"
    }

    private static let missing = EverydayRequest(
        "a feed that is not there",
        status: 404,
        files: .others
    ) {
        feed,
        _ in "/feeds/missing-\(feed.name)"
    }

    private static let file = EverydayRequest("small file", files: .others) { _, _ in "/app.js" }

    private static let stream = {
        var request = EverydayRequest("stream's first event, new connection", isPlain: true) {
            feed,
            _ in "/feeds/\(feed.name)/events"
        }
        request.connects = true
        request.streams = true
        return request
    }()

    /// The requests to a server whose feeds everyone may read.
    static let open = [
        poll, poll.withKey("poll, key"), pollOfOrigins, delta, delta.withKey("delta, key"),
        snapshot, snapshot.withKey("small snapshot, key"), pull, rows,
        rows.withKey("five rows, key"),
        missing, file, poll.connecting("poll, new connection"),
        poll.withKey("").connecting("poll, new connection, key"), stream,
    ]

    /// The requests to a server whose feeds only keys may read.
    static let closed = [
        poll.withKey("poll, key"), delta.withKey("delta, key"),
        snapshot.withKey("small snapshot, key"), pull.withKey("pull of two feeds, key"),
        rows.withKey("five rows, key"),
        poll.withKey("").connecting("poll, new connection, key"),
    ]

    /// The requests to a server with a certificate.
    static let secure = [
        poll.connecting("poll, new TLS connection", isSecure: true),
        poll.connecting("poll, new TLS connection, session resumed", isSecure: true, resumes: true),
    ]
}
