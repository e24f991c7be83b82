import FeedModel
import FeedStore
import HTTPServer
import HTTPTypes
import HTTPWire

/// Puts documents into responses: tags, caching, coding, other origins.
struct Composer: Sendable {
    let access: Access
    let cors: CORS

    /// A document about one feed.
    struct Document: Sendable {
        var body: [UInt8]
        var mediaType = "application/json"
        /// Whether it says that there is nothing new, and so is not to be stored.
        var isUnchanged = false
        var link: String?
    }

    /// A body below this many bytes is not compressed.
    static let gzipMinimum = 1024

    /// `200` with a document about a version.
    func response(
        _ document: Document,
        _ version: Version,
        prefersGzip: Bool,
        origin: CORS.Origin
    ) -> (response: Response, isGzip: Bool) {
        let (body, isGzip) = Composer.coded(document.body, prefersGzip: prefersGzip)
        var fields: HTTPFields = [.contentType: document.mediaType]
        addValidators(
            to: &fields,
            version,
            isGzip: isGzip,
            isUnchanged: document.isUnchanged,
            origin: origin
        )
        if isGzip { fields[.contentEncoding] = "gzip" }
        fields[.lastModified] = Composer.date(version.published)
        fields[.acceptRanges] = "none"
        if let link = document.link { fields[.link] = link }
        return (Response(status: .ok, fields: fields, body: .bytes(body)), isGzip)
    }

    /// The answer to an error; where not all may read everything, it may depend on the key.
    func response(_ problem: Problem, origin: CORS.Origin) -> Response {
        var response = problem.response
        if !access.isOpen || problem.kind == .key { response.fields.addVary("Authorization") }
        cors.add(to: &response.fields, for: origin)
        return response
    }

    /// `304` in the place of a document about a version.
    func notModified(
        _ version: Version,
        isGzip: Bool,
        isUnchanged: Bool,
        origin: CORS.Origin
    ) -> Response {
        var fields = HTTPFields()
        addValidators(
            to: &fields,
            version,
            isGzip: isGzip,
            isUnchanged: isUnchanged,
            origin: origin
        )
        return Response(status: .notModified, fields: fields)
    }

    /// What a `304` and a `200` have in common (RFC 9110 §15.4.5).
    private func addValidators(
        to fields: inout HTTPFields,
        _ version: Version,
        isGzip: Bool,
        isUnchanged: Bool,
        origin: CORS.Origin
    ) {
        let isOpen = access.isOpen(version.feed)
        fields[.eTag] = Tag(version.token).text(isGzip: isGzip)
        fields[.cacheControl] =
            isUnchanged ? "no-store" : Composer.cacheControl(version.snapshot, isOpen: isOpen)
        fields[.vary] = isOpen ? "Accept-Encoding" : "Accept-Encoding, Authorization"
        cors.add(to: &fields, for: origin)
    }

    /// How long a cache may use an answer about a feed without asking.
    private static func cacheControl(_ snapshot: Snapshot, isOpen: Bool) -> String {
        guard let seconds = snapshot.members["maxAge"]?.wholeNumber else {
            return isOpen ? "no-cache" : "private, no-cache"
        }
        return "\(isOpen ? "public" : "private"), max-age=\(seconds)"
    }

    /// A body in gzip where that was asked for and is smaller.
    static func coded(_ body: [UInt8], prefersGzip: Bool) -> (body: [UInt8], isGzip: Bool) {
        guard prefersGzip, body.count >= gzipMinimum else { return (body, false) }
        let compressed = Gzip.compress(body)
        return compressed.count < body.count ? (compressed, true) : (body, false)
    }

    private static func date(_ seconds: Double) -> String {
        String(decoding: HTTPDate.format(Int(seconds)), as: UTF8.self)
    }
}

extension Snapshot {
    /// Whether documents of it are made in microseconds: few parts, and about 64 KiB at most, or
    /// 4 KiB where they are compressed too.
    func isSmall(prefersGzip: Bool) -> Bool {
        guard sections.count <= 500, count <= 500 else { return false }
        let items = sections.lazy.flatMap(\.items).map(\.json.bytes.count)
        let members = ([members] + sections.map(\.members)).lazy
            .flatMap(\.list).map { $0.name.string.utf8.count + $0.value.bytes.count }
        let limit = prefersGzip ? 4 << 10 : 64 << 10
        return items.reduce(0, +) + members.reduce(0, +) <= limit
    }
}
