import FeedModel
import FeedStore
import Gzip
import HTTPServer
import HTTPTypes
import HTTPWire
import Synchronization

/// Makes responses from documents: adds the entity tags, the fields for caches, codings and CORS.
extension FeedAPI {
    /// The start of the header line whose value depends on the time, in responses about a feed.
    static let refreshAfter = Array("Refresh-After: ".utf8)

    /// Makes the response with a document, for the cache: without the header lines that depend on
    /// the request.
    ///
    /// - Parameter savedByteCount: The number of bytes saved by not sending the whole feed.
    private func cached(
        _ choice: DocumentChoice,
        _ body: [UInt8],
        in coding: ContentCoding,
        saving savedByteCount: Int
    ) -> Payload {
        var response = head(choice, in: coding)
        response.body = .bytes(body)
        return Payload(
            response,
            coding: coding,
            openField: FeedAPI.refreshAfter,
            savedByteCount: savedByteCount
        )
    }

    /// Returns the `200` or `226` with the head for a document, and without a body.
    private func head(_ choice: DocumentChoice, in coding: ContentCoding) -> Response {
        let (traits, applied) = (choice.traits, choice.key.appliedPreference)
        var fields: HTTPFields = [.contentType: choice.mediaType]
        addValidators(to: &fields, choice.version, in: coding, traits, applied)
        if coding != .identity { fields[.contentEncoding] = coding.name }
        if let link = choice.link { fields[.link] = link }
        if traits.stamp != nil { fields[.xContentTypeOptions] = "nosniff" }
        var status = HTTPResponse.Status.ok
        if let base = choice.deltaBase {
            status = HTTPResponse.Status(code: 226, reasonPhrase: "IM Used")
            fields[.im] = "feed"
            fields[.deltaBase] = base
            fields[.cacheControl] = "no-store, im"
        }
        var response = Response(status: status, fields: fields)
        cors.add(to: &response)
        return response
    }

    /// Adds the fields of both `304` and `200` (RFC 9110 §15.4.5).
    func addValidators(
        to fields: inout HTTPFields,
        _ version: Version,
        in coding: ContentCoding,
        _ traits: CachingTraits,
        _ appliedPreference: WaitPreference.Applied?
    ) {
        let isOpen = access.isOpen(version.feed) && !version.isKept
        fields[.eTag] = traits.tag(of: version).text(coding)
        fields[.cacheControl] =
            traits.isStored && appliedPreference == nil
            ? FeedAPI.cacheControl(version.snapshot, isOpen: isOpen) : "no-store"
        var vary = "Accept-Encoding"
        if traits.canWait { vary += ", Prefer" }
        if let stamp = traits.stamp {
            vary += ", A-IM"
            if stamp.isDated {
                fields[.lastModified] = lastModified(of: version).map(FeedAPI.date)
            }
        }
        fields[.vary] = isOpen ? vary : vary + ", Authorization"
        if let seconds = appliedPreference?.preferred {
            fields[.preferenceApplied] = "wait=\(seconds)"
        }
    }

    /// The largest max-age; caches treat larger values as this one (RFC 9111 §1.2.2).
    private static let longestAge = 1 << 31

    /// Returns Cache-Control for responses about a feed, by its member `maxAge`.
    static func cacheControl(_ snapshot: Snapshot, isOpen: Bool) -> String {
        guard let age = snapshot.members["maxAge"], age.isWholeNumber else {
            return isOpen ? "no-cache" : "private, no-cache"
        }
        let seconds = min(age.wholeNumber ?? longestAge, longestAge)
        return "\(isOpen ? "public" : "private"), max-age=\(seconds)"
    }

    /// Returns a body in the chosen coding if that makes it shorter, or if the client accepts no
    /// other; `nil` if `isWanted` returned false.
    static func coded(
        _ body: [UInt8],
        _ choice: CodingChoice,
        while isWanted: () -> Bool = { true }
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

    /// Returns a time in seconds since 1970 as an HTTP date (RFC 9110 §5.6.7).
    static func date(_ seconds: Int) -> String {
        String(decoding: HTTPDate.format(seconds), as: UTF8.self)
    }
}

/// Makes responses with documents, and the parts of pulls and event streams.
extension FeedAPI {
    /// Makes a response or a part of one, without the lines that depend on the request; `nil` if
    /// `isWanted`, which is called now and then, returned false.
    func make(_ choice: DocumentChoice, while isWanted: () -> Bool) -> Payload? {
        guard choice.key.form == .response else { return part(choice, while: isWanted) }
        let resolved = choice.resolved(by: self)
        let made = response(resolved, while: isWanted)
        // If no difference can be made for a feed reader, the whole page is cached for all readers.
        if let made, resolved.key != choice.key { choice.responses.keep(made, resolved.key) }
        return made
    }

    /// Returns the response with a document, which another thread may just have made.
    private func response(_ choice: DocumentChoice, while isWanted: () -> Bool) -> Payload? {
        let key = choice.key
        if let made = choice.responses[key] { return made }
        // A request that can wait gets the body of one that cannot; a long response to it is not
        // kept.
        var other = key
        other.appliedPreference = nil
        if other != key, let made = choice.responses[other] {
            return cached(choice, made.body, in: made.coding, saving: made.savedByteCount)
        }
        let document = document(choice)
        // A document without news is short and is not compressed, so that its cached response can
        // be found without making the document.
        let accepted = choice.isUnchanged && !key.coding.isForced ? .identity : key.coding
        guard let (body, coding) = FeedAPI.coded(document, accepted, while: isWanted) else {
            return nil
        }
        if coding != .identity { countCompression() }
        let saved = choice.savedByteCount(of: document)
        return cached(choice, body, in: coding, saving: saved)
    }

    /// Makes a part of a pull or of an event stream.
    private func part(_ choice: DocumentChoice, while isWanted: () -> Bool) -> Payload? {
        let document = document(choice)
        let content =
            switch choice.key.form {
            case .response, .document: document
            case .event:
                FeedAPI.eventStart(document) + Array("id: \(choice.version.token)\n\n".utf8)
            case .eventStart: FeedAPI.eventStart(document)
            }
        guard choice.key.isCoded else { return Payload(content: content) }
        countCompression()
        return GzipPart(content, while: isWanted).map {
            Payload(content: $0.blocks, part: $0)
        }
    }

    /// The number of documents that were written.
    var documentCount: Int { written.load(ordering: .relaxed) }

    /// The number of bodies that were compressed.
    var compressionCount: Int { compressed.load(ordering: .relaxed) }

    /// Counts a body that was compressed.
    func countCompression() { compressed.add(1, ordering: .relaxed) }

    /// Returns the bytes of a document: of the cached response without a coding, if there is one;
    /// otherwise they are made, and the document is counted.
    private func document(_ choice: DocumentChoice) -> [UInt8] {
        var plain = choice.key
        (plain.form, plain.coding, plain.appliedPreference) = (.response, .identity, nil)
        if let made = choice.responses[plain] { return made.body }
        written.add(1, ordering: .relaxed)
        return choice.content(by: self)
    }

    /// Returns an event with a document, without the event's id and the empty line at its end (HTML
    /// Standard, "Server-sent events"); the document must have no line ends.
    private static func eventStart(_ document: [UInt8]) -> [UInt8] {
        let kind = document.dropFirst(#"{"kind":""#.utf8.count).prefix { $0 != UInt8(ascii: "\"") }
        return Array("event: ".utf8) + kind + Array("\ndata: ".utf8) + document
            + [UInt8(ascii: "\n")]
    }
}

extension Payload {
    /// The approximate number of bytes of memory of the payload and its entry in a cache.
    var byteCount: Int { bodyByteCount == 0 ? headByteCount + 400 : bodyByteCount + 850 }
}
