import FeedDiff
import FeedFormats
import FeedModel
import FeedStore
import HTTPServer
import HTTPTypes
import HTTPWire

/// `GET /feeds/{feed}.json`, `.atom`, `.rss`: a feed for feed readers (docs/PROTOCOL.md, "Formats").
extension FeedAPI {
    func readFormat(
        _ name: TargetPart,
        _ format: SyndicationFormat,
        _ request: borrowing RoutedRequest
    ) throws(Problem) -> Disposition {
        let suffix = format.rawValue.utf8.count + 1
        let feed = Array(request.head.text(name).utf8.dropLast(suffix))
        guard let version = try visible(feed.span, request.caller) ?? nil else {
            return notFound(request.origin)
        }
        let responses = cache.responses(for: version)
        let read = SyndicationRead(
            version: version,
            options: syndicationOptions(of: version.feed),
            sources: configuration.sources,
            format: format,
            coding: request.head.codingChoice,
            origin: request.origin
        )
        let tag = read.tag(responses.syndicationCheck { read.check(of: version) })
        let outcome = request.head.readOutcome(tag, version, at: store.wallSeconds)
        switch outcome {
        case .failed(let condition):
            return .answer(builder.response(.failed(condition, tag), origin: request.origin))
        case .notModified(let match):
            let coding = match.coding(asSent: read.coding.coding)
            let fields = builder.syndicationFields(read, tag, coding)
            return answer(Response(status: .notModified, fields: fields), read, responses)
        case .send: break
        }
        if let base = deltaBase(request.head, read) {
            return delta(from: base.version, as: base.tag, tag, read, responses)
        }
        return whole(tag, read, responses)
    }

    private func syndicationOptions(of feed: FeedName) -> SyndicatedFeed.Options {
        var options = SyndicatedFeed.Options(name: feed.rawValue)
        options.publicURL = configuration.publicURL
        options.entryBase = configuration.entryBase
        options.keepsIDs = configuration.sources?.isSourced(feed) ?? false
        if access.derived.has(feed) { options.derived = access.derived.names }
        return options
    }

    /// The document, made once for all who ask for it.
    private func whole(
        _ tag: Tag,
        _ read: SyndicationRead,
        _ responses: VersionResponses
    ) -> Disposition {
        let (version, origin) = (read.version, read.origin)
        let key = ResponseKey(
            kind: .syndication(read.format, keepsIDs: read.options.keepsIDs),
            coding: read.coding
        )
        if let found = responses[key] {
            return .cached(found.response, completion(version, responses, origin))
        }
        let pool = work.reads(read.size)
        return .later { [self] responder in
            let waiter = VersionResponses.Waiter(isWanted: responder.isWanted) { document in
                guard let document else {
                    responder(self.overloadedByReads(origin))
                    return
                }
                responder(.cached(document.response, self.completion(version, responses, origin)))
            }
            responses.response(key, for: origin, on: pool, waiter) { [builder] _ in
                builder.syndicated(read, tag)
            }
        }
    }

    /// What is new since a version that the reader has (RFC 3229 §10.5.3).
    private func delta(
        from old: Version,
        as sent: String,
        _ tag: Tag,
        _ read: SyndicationRead,
        _ responses: VersionResponses
    ) -> Disposition {
        disposition(read.size, read.version.feed, read.origin) { [builder] in
            var response = builder.syndicated(read, tag, since: old, sent: sent)
            builder.cors.addListed(to: &response.fields, for: read.origin)
            let hint = self.completion(read.version, responses, read.origin).number
            response.fields[.refreshAfter] = hint.map(String.init)
            return .response(response)
        }
    }

    private func answer(
        _ response: Response,
        _ read: SyndicationRead,
        _ responses: VersionResponses
    ) -> Disposition {
        var response = response
        builder.cors.addListed(to: &response.fields, for: read.origin)
        let hint = completion(read.version, responses, read.origin).number
        response.fields[.refreshAfter] = hint.map(String.init)
        return .answer(response)
    }

    /// The version that a reader has, if it takes what is new since then.
    private func deltaBase(
        _ head: RequestHead,
        _ read: SyndicationRead
    ) -> (version: Version, tag: String)? {
        guard let manipulations = head.value(.aIM), let tags = head.value(.ifNoneMatch) else {
            return nil
        }
        let takesFeeds = manipulations.split(separator: ",").contains { part in
            part.prefix { $0 != ";" }.filter { $0 != " " }.lowercased() == "feed"
        }
        guard takesFeeds else { return nil }
        for part in tags.split(separator: ",").prefix(100) {
            let sent = part.drop { $0 == " " || $0 == "\t" }
            var text = sent.hasPrefix("W/") ? sent.dropFirst(2) : sent
            text = text.filter { $0 != "\"" && $0 != " " }[...]
            let pieces = text.split(separator: "-")
            guard let first = pieces.first, let token = Token(String(first)),
                token.epoch == read.version.token.epoch,
                let version = store.version(token, of: read.version.feed)
            else { continue }
            let check = pieces.dropFirst().first { $0 != "gzip" && $0 != "deflate" }
            if let check, check != read.check(of: version) { continue }
            return (version, String(sent).trimmingTrailingSpaces)
        }
        return nil
    }
}

/// What is asked for of a feed in a format of feed readers.
struct SyndicationRead: Sendable {
    let version: Version
    let options: SyndicatedFeed.Options
    /// What is known of the feeds that it may be made of.
    let sources: (any SourceDirectory)?
    let format: SyndicationFormat
    let coding: CodingChoice
    let origin: RequestOrigin

    func tag(_ check: String) -> Tag { Tag(hash: "\(version.token)-\(check)") }

    /// The options with what the feed's items say of their origins.
    func options(for snapshot: Snapshot) -> SyndicatedFeed.Options {
        var options = options
        guard !options.derived.isEmpty, let sources else { return options }
        let own = options
        var (seen, keeping): (Set<String>, [String]) = ([], [])
        for section in snapshot.sections {
            section.items.forEachItem { item in
                let origin = own.origin(of: item.id.string).feed
                guard seen.insert(origin).inserted, let feed = FeedName(origin) else { return }
                if sources.isSourced(feed) { keeping.append(origin) }
            }
        }
        options.keepingOrigins = keeping.sorted()
        return options
    }

    var size: WorkSize {
        WorkSize(byteCount: version.snapshot.itemByteCount * (coding.coding == .identity ? 4 : 20))
    }

    /// A check of what the bytes depend on beside the version: settings, and when items were seen.
    func check(of version: Version) -> String {
        // FNV-1a.
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        func add(_ byte: UInt8) { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        for byte in "\(options(for: version.snapshot))".utf8 { add(byte) }
        for section in version.snapshot.sections {
            for item in section.items {
                let seen = UInt64(item.seen.first) << 32 | UInt64(item.seen.changed)
                hash = (hash ^ seen) &* 0x100_0000_01b3
                hash ^= hash >> 29
            }
        }
        let digits = String(UInt32(truncatingIfNeeded: hash ^ hash >> 32), radix: 16)
        return String(repeating: "0", count: 8 - digits.count) + digits
    }
}

extension ResponseBuilder {
    /// The response with a feed in a format of feed readers.
    func syndicated(_ read: SyndicationRead, _ tag: Tag) -> CachedDocument {
        let feed = SyndicatedFeed(
            read.version.snapshot,
            read.options(for: read.version.snapshot),
            changed: Int(read.version.published)
        )
        let (body, coding) = ResponseBuilder.coded(feed.document(read.format), read.coding)
        var fields = syndicationFields(read, tag, coding)
        fields[.contentType] = read.format.mediaType
        if coding != .identity { fields[.contentEncoding] = coding.name }
        fields[.xContentTypeOptions] = "nosniff"
        counters.addDocument()
        return CachedDocument(
            response: CachedResponse(
                Response(status: .ok, fields: fields, body: .bytes(body)),
                openField: .refreshAfter
            ),
            coding: coding
        )
    }

    /// `226` with the entries alone that are new or changed since a version.
    func syndicated(
        _ read: SyndicationRead,
        _ tag: Tag,
        since old: Version,
        sent: String
    ) -> Response {
        let whole = FeedView()
        let changes = Changes(from: whole(old.snapshot), to: whole(read.version.snapshot))
        var ids = Set(changes.insertedItems.map(\.item.id))
        ids.formUnion(changes.updatedItems.map(\.id))
        let items = read.version.snapshot.sections.flatMap { Array($0.items) }
            .filter { ids.contains($0.id) }
        let feed = SyndicatedFeed(
            read.version.snapshot,
            read.options(for: read.version.snapshot),
            changed: Int(read.version.published),
            items: items
        )
        let (body, coding) = ResponseBuilder.coded(feed.document(read.format), read.coding)
        var fields = syndicationFields(read, tag, coding)
        fields[.contentType] = read.format.mediaType
        if coding != .identity { fields[.contentEncoding] = coding.name }
        fields[.im] = "feed"
        fields[.deltaBase] = sent
        fields[.cacheControl] = "no-store, im"
        return Response(
            status: .init(code: 226, reasonPhrase: "IM Used"),
            fields: fields,
            body: .bytes(body)
        )
    }

    /// What a `200` and a `304` have in common.
    func syndicationFields(
        _ read: SyndicationRead,
        _ tag: Tag,
        _ coding: ContentCoding
    ) -> HTTPFields {
        let isOpen = access.isOpen(read.version.feed)
        var fields: HTTPFields = [.eTag: tag.text(coding), .acceptRanges: "none"]
        fields[.cacheControl] = ResponseBuilder.cacheControl(read.version.snapshot, isOpen: isOpen)
        fields[.vary] = "Accept-Encoding, A-IM" + (isOpen ? "" : ", Authorization")
        let modified = read.version.lastModified(at: polling.wallSeconds)
        fields[.lastModified] = modified.map(ResponseBuilder.date)
        cors.addCommon(to: &fields)
        return fields
    }
}

extension String {
    fileprivate var trimmingTrailingSpaces: String {
        var text = self
        while text.last == " " || text.last == "\t" { text.removeLast() }
        return text
    }
}
