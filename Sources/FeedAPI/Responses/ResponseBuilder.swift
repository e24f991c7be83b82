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
    let configuration: APIConfiguration
    let pullLines: PullLines

    init(_ access: Access, _ configuration: APIConfiguration, _ store: FeedStore) {
        self.access = access
        self.configuration = configuration
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
        /// The tag of the page that the document leads on from, as `226` names it (RFC 3229
        /// §10.5.3); `nil`: the document is whole.
        var deltaBase: String?
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
    ) -> Payload? {
        // A document that says that nothing is new is short, and looked for without being made.
        let accepted = document.traits.isUnchanged && !choice.isForced ? .identity : choice
        guard let (body, coding) = ResponseBuilder.coded(document.body, accepted, while: isWanted)
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
    ) -> Payload {
        var response = head(document, version, coding, waitMark)
        response.body = .bytes(body)
        return Payload(
            response,
            coding: coding,
            openField: ResponseBuilder.refreshAfter,
            savedByteCount: document.savedByteCount
        )
    }

    /// The head of `200` or `226` with a document about a version, whatever is in it.
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
        if document.traits.stamp != nil { fields[.xContentTypeOptions] = "nosniff" }
        guard let base = document.deltaBase else {
            return Response(status: .ok, fields: fields, body: .unsent)
        }
        fields[.im] = "feed"
        fields[.deltaBase] = base
        fields[.cacheControl] = "no-store, im"
        let status = HTTPResponse.Status(code: 226, reasonPhrase: "IM Used")
        return Response(status: status, fields: fields, body: .unsent)
    }

    /// `304` in the place of a document about a version, but for what is said to one request
    /// alone.
    func notModified(
        _ version: Version,
        _ coding: ContentCoding,
        _ traits: CachingTraits,
        _ waitMark: WaitPreference.Mark?
    ) -> Payload {
        var fields = HTTPFields()
        addValidators(to: &fields, version, coding, traits, waitMark)
        cors.addOrigin(to: &fields)
        return Payload(
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
    func cached(_ problem: Problem) -> Payload {
        var response = plain(problem)
        cors.addCommon(to: &response.fields)
        return Payload(response)
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
        fields[.eTag] = traits.tag(of: version).text(coding)
        fields[.cacheControl] =
            traits.isUnchanged || waitMark != nil
            ? "no-store" : ResponseBuilder.cacheControl(version.snapshot, isOpen: isOpen)
        var vary = "Accept-Encoding"
        if traits.canWait { vary += ", Prefer" }
        if let stamp = traits.stamp {
            vary += ", A-IM"
            if stamp.isDated {
                fields[.lastModified] = lastModified(of: version).map(ResponseBuilder.date)
            }
        }
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

    /// Returns a body in the coding that was asked for, if that is worth it or nothing else will
    /// do.
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

extension ResponseBuilder {
    /// Makes a response for many; `responses` may have the same document in another form, and the
    /// changes from the version before.
    ///
    /// - Parameter isWanted: Asked now and then.
    /// - Returns: `nil` when it was given up because it is not wanted any more.
    func make(
        _ choice: DocumentChoice,
        _ asked: ResponseKey,
        with responses: VersionResponses,
        while isWanted: () -> Bool
    ) -> Payload? {
        let choice = choice.resolved(by: self)
        var key = asked
        key.kind = choice.kind
        // Clients that waited are told the same under another head.
        var unmarked = key
        unmarked.waitMark = nil
        if key.waitMark != nil, let made = responses[unmarked] {
            let document = choice.described(made.body)
            return cached(document, coded: made.body, made.coding, choice.version, key.waitMark)
        }
        if key.kind != asked.kind, let made = responses[key] { return made }
        var plain = unmarked
        plain.coding = .identity
        var document: Document
        if let made = responses[plain] {
            document = choice.described(made.body)
        } else {
            document = choice.document(with: responses, by: self)
            counters.addDocument()
        }
        let made = cached(document, choice.version, key.coding, key.waitMark, while: isWanted)
        if key.kind != asked.kind, let made { responses.keep(made, key) }
        return made
    }
}

/// The documents as parts of a gzip stream or of a stream of events.
extension ResponseBuilder {
    /// Makes a document in a form; the plain one is taken from `responses`, if it is there.
    ///
    /// - Returns: `nil` when it was given up because it is not wanted any more.
    func make(
        _ choice: DocumentChoice,
        _ form: ResponseKey.Form,
        with responses: VersionResponses,
        while isWanted: () -> Bool
    ) -> Payload? {
        let key = ResponseKey(choice, .response)
        let made = responses[key]
        if form == .response {
            return made ?? make(choice, key, with: responses, while: isWanted)
        }
        let document = body(choice, made, responses)
        let content =
            switch form {
            case .response, .gzipPart: document
            case .event, .gzipEvent:
                ResponseBuilder.eventStart(document) + ResponseBuilder.eventEnd(choice.version)
            case .eventStart, .gzipEventStart: ResponseBuilder.eventStart(document)
            }
        guard form.isCoded else { return Payload(content: content) }
        counters.addCompression()
        return GzipPart(content, while: isWanted).map {
            Payload(content: $0.blocks, part: $0)
        }
    }

    /// Returns the document alone: a response with it has a head that may never be asked for.
    private func body(
        _ choice: DocumentChoice,
        _ made: Payload?,
        _ responses: VersionResponses
    ) -> [UInt8] {
        if let made { return made.body }
        counters.addDocument()
        return choice.document(with: responses, by: self).body
    }

    /// An event with a document, which has no line end in it, without its id and the empty line
    /// behind it (HTML Standard, “Server-sent events”).
    private static func eventStart(_ document: [UInt8]) -> [UInt8] {
        let kind = document.dropFirst(#"{"kind":""#.utf8.count).prefix { $0 != UInt8(ascii: "\"") }
        return Array("event: ".utf8) + kind + Array("\ndata: ".utf8) + document
            + [UInt8(ascii: "\n")]
    }

    /// The end of an event of a stream of one feed: the line with the token, and an empty one.
    private static func eventEnd(_ version: Version) -> [UInt8] {
        Array("id: \(version.token)\n\n".utf8)
    }
}

extension ResponseKey {
    /// Names the document in a form.
    init(_ choice: DocumentChoice, _ form: Form) {
        self.init(kind: choice.kind, view: choice.view, form: form)
    }
}

extension Payload {
    /// About the bytes of memory that it takes, with its place among others and its share of what
    /// is kept beside them.
    var byteCount: Int { bodyByteCount == 0 ? headByteCount + 400 : bodyByteCount + 1100 }
}
