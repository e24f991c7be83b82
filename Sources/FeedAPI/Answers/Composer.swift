import FeedModel
import FeedStore
import HTTPServer
import HTTPTypes
import HTTPWire

/// Puts documents into responses: tags, caching, coding, other origins.
struct Composer: Sendable {
    let access: Access
    let cors: CORS
    let pacing: Pacing
    let tally = AnswerTally()

    /// A document about one feed.
    struct Document: Sendable {
        var body: [UInt8]
        var mediaType = "application/json"
        /// Whether it says that there is nothing new, and so is not to be stored.
        var isUnchanged = false
        var link: String?
        /// Whether it can be waited for, so that it may depend on Prefer.
        var canBeHeld = false
    }

    /// A body below this many bytes is not compressed: with its head it fits one packet anyway.
    static let codedMinimum = 1024

    /// `200` with a document about a version; its hint is worked out where none is given.
    func response(
        _ document: Document,
        _ version: Version,
        _ choice: CodingChoice,
        origin: CORS.Origin,
        hint: Int? = nil
    ) -> (response: Response, coding: ContentCoding) {
        let (body, coding) = Composer.coded(document.body, choice)
        if coding != .identity { tally.addCompression() }
        var fields: HTTPFields = [.contentType: document.mediaType]
        addValidators(
            to: &fields,
            version,
            coding,
            isUnchanged: document.isUnchanged,
            canBeHeld: document.canBeHeld,
            origin: origin,
            hint: hint
        )
        if coding != .identity { fields[.contentEncoding] = coding.name }
        fields[.lastModified] = Composer.date(version.published)
        fields[.acceptRanges] = "none"
        fields[.xContentTypeOptions] = "nosniff"
        if let link = document.link { fields[.link] = link }
        return (Response(status: .ok, fields: fields, body: .bytes(body)), coding)
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
        _ coding: ContentCoding,
        isUnchanged: Bool,
        canBeHeld: Bool,
        origin: CORS.Origin,
        hint: Int? = nil
    ) -> Response {
        var fields = HTTPFields()
        addValidators(
            to: &fields,
            version,
            coding,
            isUnchanged: isUnchanged,
            canBeHeld: canBeHeld,
            origin: origin,
            hint: hint
        )
        return Response(status: .notModified, fields: fields)
    }

    /// What a `304` and a `200` have in common (RFC 9110 §15.4.5).
    private func addValidators(
        to fields: inout HTTPFields,
        _ version: Version,
        _ coding: ContentCoding,
        isUnchanged: Bool,
        canBeHeld: Bool,
        origin: CORS.Origin,
        hint: Int?
    ) {
        let isOpen = access.isOpen(version.feed)
        fields[.eTag] = Tag(version.token).text(coding)
        fields[.cacheControl] =
            isUnchanged ? "no-store" : Composer.cacheControl(version.snapshot, isOpen: isOpen)
        let vary = canBeHeld ? "Accept-Encoding, Prefer" : "Accept-Encoding"
        fields[.refreshAfter] = String(hint ?? pacing.hint(version))
        fields[.vary] = isOpen ? vary : vary + ", Authorization"
        cors.add(to: &fields, for: origin)
    }

    /// How long a cache may use an answer about a feed without asking.
    private static func cacheControl(_ snapshot: Snapshot, isOpen: Bool) -> String {
        guard let seconds = snapshot.members["maxAge"]?.wholeNumber else {
            return isOpen ? "no-cache" : "private, no-cache"
        }
        return "\(isOpen ? "public" : "private"), max-age=\(seconds)"
    }

    /// A body in the coding that was asked for, where that is smaller or nothing else will do.
    static func coded(
        _ body: [UInt8],
        _ choice: CodingChoice
    ) -> (body: [UInt8], coding: ContentCoding) {
        guard choice.coding != .identity, choice.isForced || body.count >= codedMinimum else {
            return (body, .identity)
        }
        let coded = choice.coding.compress(body)
        guard choice.isForced || coded.count < body.count else { return (body, .identity) }
        return (coded, choice.coding)
    }

    private static func date(_ seconds: Double) -> String {
        String(decoding: HTTPDate.format(Int(seconds)), as: UTF8.self)
    }
}

extension Snapshot {
    /// Whether documents of it are made in microseconds: few parts, and about 64 KiB at most, or
    /// 4 KiB where they are compressed too.
    func isSmall(isCoded: Bool) -> Bool {
        guard sections.count <= 500, count <= 500 else { return false }
        let members = ([members] + sections.map(\.members)).lazy
            .flatMap(\.list).map { $0.name.string.utf8.count + $0.value.bytes.count }
        let limit = isCoded ? 4 << 10 : 64 << 10
        return itemByteCount + members.reduce(0, +) <= limit
    }
}
