import FeedModel
import FeedStore
import Gzip
import HTTPServer
import HTTPTypes
import HTTPWire
import Synchronization

/// Puts documents into responses: tags, caching, coding, other origins.
final class ResponseBuilder: Sendable {
    let access: Access
    let cors: CORS
    let polling: PollingHint
    let counters = CacheCounters()
    /// The second, since 1970, in which all that the operator decided came to hold.
    let configuredSecond: Int
    let pullLines: PullLines

    init(_ access: Access, _ configuration: APIConfiguration, _ store: FeedStore) {
        self.access = access
        cors = CORS(configuration)
        polling = PollingHint(store)
        configuredSecond = store.wallSeconds
        pullLines = PullLines(cors)
    }

    /// A document about one feed.
    struct Document: Sendable {
        var body: [UInt8]
        var mediaType = "application/json"
        var traits = CachingTraits.withoutWait
        var link: String?
        /// Bytes that it leaves out, since it has changes in the place of a whole feed.
        var savedByteCount = 0
    }

    /// The open field of all responses about a feed.
    static let refreshAfter = Array("Refresh-After: ".utf8)

    /// `200` with a document about a version, but for what is said to one request alone.
    ///
    /// - Returns: `nil` when that was given up.
    func cached(
        _ document: Document,
        _ version: Version,
        _ choice: CodingChoice,
        _ waitMark: WaitPreference.Mark? = nil,
        while isWanted: () -> Bool
    ) -> CachedResponse? {
        // A document that says that nothing is new is short, and looked for without being made.
        let wish = document.traits.isUnchanged && !choice.isForced ? .identity : choice
        guard let (body, coding) = ResponseBuilder.coded(document.body, wish, while: isWanted)
        else { return nil }
        if coding != .identity { counters.addCompression() }
        return cached(document, coded: body, coding, version, waitMark)
    }

    /// Makes the `200` with a body that is in its coding already.
    func cached(
        _ document: Document,
        coded body: [UInt8],
        _ coding: ContentCoding,
        _ version: Version,
        _ waitMark: WaitPreference.Mark?
    ) -> CachedResponse {
        var response = head(document, version, coding, waitMark)
        response.body = .bytes(body)
        return CachedResponse(
            response,
            coding: coding,
            openField: ResponseBuilder.refreshAfter,
            savedByteCount: document.savedByteCount
        )
    }

    /// The head of `200` with a document about a version, whatever is in it.
    func head(
        _ document: Document,
        _ version: Version,
        _ coding: ContentCoding,
        _ waitMark: WaitPreference.Mark?
    ) -> Response {
        var fields: HTTPFields = [.contentType: document.mediaType]
        addValidators(to: &fields, version, coding, document.traits, waitMark)
        if coding != .identity { fields[.contentEncoding] = coding.name }
        cors.addCommon(to: &fields)
        if let link = document.link { fields[.link] = link }
        return Response(status: .ok, fields: fields, body: .unsent)
    }

    /// `304` in the place of a document about a version, but for what is said to one request
    /// alone.
    func notModified(
        _ version: Version,
        _ coding: ContentCoding,
        _ traits: CachingTraits,
        _ waitMark: WaitPreference.Mark?
    ) -> CachedResponse {
        var fields = HTTPFields()
        addValidators(to: &fields, version, coding, traits, waitMark)
        cors.addOrigin(to: &fields)
        return CachedResponse(
            Response(status: .notModified, fields: fields),
            coding: coding,
            openField: ResponseBuilder.refreshAfter
        )
    }

    /// The answer to an error; where not all may read everything, it may depend on the key.
    func response(_ problem: Problem, for requester: Requester) -> Response {
        var response = plain(problem)
        cors.add(to: &response.fields, for: requester)
        return response
    }

    /// Makes the answer to an error once for all clients that get it.
    func cached(_ problem: Problem) -> CachedResponse {
        var response = plain(problem)
        cors.addCommon(to: &response.fields)
        return CachedResponse(response)
    }

    private func plain(_ problem: Problem) -> Response {
        var response = problem.response
        if !access.isOpen || problem.kind == .key { response.fields.addVary("Authorization") }
        return response
    }

    /// Adds the fields that a `304` and a `200` have in common (RFC 9110 §15.4.5).
    private func addValidators(
        to fields: inout HTTPFields,
        _ version: Version,
        _ coding: ContentCoding,
        _ traits: CachingTraits,
        _ waitMark: WaitPreference.Mark?
    ) {
        let isOpen = access.isOpen(version.feed)
        fields[.eTag] = EntityTag(version.token).text(coding)
        fields[.cacheControl] =
            traits.isUnchanged || waitMark != nil
            ? "no-store" : ResponseBuilder.cacheControl(version.snapshot, isOpen: isOpen)
        let vary = traits.canWait ? "Accept-Encoding, Prefer" : "Accept-Encoding"
        fields[.vary] = isOpen ? vary : vary + ", Authorization"
        if let seconds = waitMark?.preferred { fields[.preferenceApplied] = "wait=\(seconds)" }
    }

    /// The seconds that caches take for more than they can count (RFC 9111 §1.2.2).
    private static let longestAge = 1 << 31

    /// How long a cache may use an answer about a feed without asking.
    static func cacheControl(_ snapshot: Snapshot, isOpen: Bool) -> String {
        guard let age = snapshot.members["maxAge"], age.isWholeNumber else {
            return isOpen ? "no-cache" : "private, no-cache"
        }
        let seconds = min(age.wholeNumber ?? longestAge, longestAge)
        return "\(isOpen ? "public" : "private"), max-age=\(seconds)"
    }

    /// Returns a body in the coding that was asked for, if that is worth it or nothing else will do.
    ///
    /// - Returns: `nil` when that was given up on the way.
    static func coded(
        _ body: [UInt8],
        _ choice: CodingChoice,
        while isWanted: () -> Bool
    ) -> (body: [UInt8], coding: ContentCoding)? {
        let isLongEnough = body.count >= ContentCoding.leastContentByteCount
        guard choice.coding != .identity, choice.isForced || isLongEnough else {
            return (body, .identity)
        }
        guard let coded = choice.coding.compress(body, while: isWanted) else { return nil }
        guard choice.isForced || ContentCoding.isWorth(coded.count, insteadOf: body.count) else {
            return (body, .identity)
        }
        return (coded, choice.coding)
    }

    static func date(_ seconds: Int) -> String {
        String(decoding: HTTPDate.format(seconds), as: UTF8.self)
    }
}

/// Makes a value, which could be given up on the way, for a caller that always wants it.
func alwaysWanted<Made>(_ make: (_ isWanted: () -> Bool) -> Made?) -> Made {
    guard let made = make({ true }) else {
        preconditionFailure("what is always wanted is never given up")
    }
    return made
}

extension Snapshot {
    /// Whether documents of it are made in microseconds: few parts, and about 64 KiB at most, or
    /// 4 KiB where they are compressed too.
    func isInstant(isCoded: Bool) -> Bool {
        guard sections.count <= 500, count <= 500 else { return false }
        let members = ([members] + sections.map(\.members)).lazy
            .flatMap(\.list).map { $0.name.string.utf8.count + $0.value.bytes.count }
        let limit = isCoded ? 4 << 10 : 64 << 10
        return itemByteCount + members.reduce(0, +) <= limit
    }
}

/// How much was made, so that it can be seen that a crowd has each answer made once.
final class CacheCounters: Sendable {
    private let documents = Atomic(0)
    private let compressions = Atomic(0)

    /// Documents written out.
    var documentCount: Int { documents.load(ordering: .relaxed) }

    /// Bodies compressed for many.
    var compressionCount: Int { compressions.load(ordering: .relaxed) }

    /// Notes that a document was written out.
    func addDocument() { documents.add(1, ordering: .relaxed) }

    /// Notes that a body was compressed.
    func addCompression() { compressions.add(1, ordering: .relaxed) }
}
