import FeedFormats
import FeedModel
import FeedStore
import HTTPServer
import HTTPTypes
import HTTPWire

/// `GET /feeds/{feed}.json`, `.atom`, `.rss`: a feed for feed readers (docs/PROTOCOL.md,
/// "Feed readers").
extension FeedAPI {
    func readFormat(_ request: borrowing RoutedRequest) throws(Problem) -> Disposition {
        let name = request.route.feed
        guard let format = SyndicationFormat(endOf: name, in: request.head.bytes.span) else {
            return notFound(request.requester)
        }
        let feed = format.feed(in: request.head.text(name))
        guard let version = try lookUp(feed.span, request.caller).version else {
            return notFound(request.requester)
        }
        let page = try SyndicationPage(request.query)
        let responses = cache.responses(for: version)
        let read = SyndicationRead(
            version: version,
            page: page,
            options: syndicationOptions(of: version.feed),
            sources: configuration.sources,
            format: format,
            coding: request.head.codingChoice,
            requester: request.requester,
            isDateToCome: builder.isDateToCome(of: version)
        )
        let tag = read.tag(responses.syndicationCheck(page) { read.check(of: version) })
        let dates = builder.dates(of: version)
        switch request.head.outcome(Validators(tag, dates: dates), now: store.wallSeconds) {
        case .failed(let condition):
            return .response(builder.response(.failed(condition, tag), for: request.requester))
        case .notModified(let coding):
            let fields = builder.syndicationFields(read, tag, coding)
            return answer(Response(status: .notModified, fields: fields), read, responses)
        case .send: break
        }
        if !request.requester.isHead {
            let bases = deltaBases(request.head, read)
            if !bases.isEmpty { return delta(from: bases, tag, read, responses) }
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

    /// Returns the document, made once for all who ask for it.
    private func whole(
        _ tag: EntityTag,
        _ read: SyndicationRead,
        _ responses: VersionResponses
    ) -> Disposition {
        let (requester, key) = (read.requester, read.key)
        if let found = responses[key] {
            return .cached(found, perRequest(read.version, responses, requester))
        }
        if requester.isHead, let coding = read.foreseenCoding {
            // Nothing is made to be measured.
            let fields = builder.syndicatedFields(read, tag, coding)
            return answer(Response(status: .ok, fields: fields, body: .unsent), read, responses)
        }
        let pool = work.reads(read.size)
        return .later { [self] responder in
            let waiter = VersionResponses.Waiter(isWanted: responder.isWanted) { document in
                guard let document else {
                    responder(self.overloadedByReads(requester))
                    return
                }
                responder(.cached(document, self.perRequest(read.version, responses, requester)))
            }
            let job = responses.join(key, for: requester, waiter) { [builder] _ in
                builder.syndicated(read, tag)
            }
            job?.submit(to: pool)
        }
    }

    /// Returns the entries that are new since a version that the reader has (RFC 3229 §10.5.3), or
    /// the whole page.
    ///
    /// The whole page is sent if no such version was sent under the settings that the bytes depend
    /// on today, or if nearly all entries are new.
    private func delta(
        from bases: [DeltaBase],
        _ tag: EntityTag,
        _ read: SyndicationRead,
        _ responses: VersionResponses
    ) -> Disposition {
        // Only what was sent since a good one is kept.
        if let base = bases.first, let found = responses[read.key(ofNewsSince: base.tag)] {
            return .cached(found, perRequest(read.version, responses, read.requester))
        }
        return disposition(read.deltaSize, read.version.feed, read.requester) { [builder, cache] in
            let known = bases.first { base in
                guard let check = base.check else { return true }
                let version = base.version
                return check
                    == cache.responses(for: version).syndicationCheck(read.page) {
                        read.check(of: version)
                    }
            }
            guard let known, let news = read.news(since: known.version) else {
                let document = responses[read.key] ?? builder.syndicated(read, tag)
                responses.keep(document, read.key)
                let perRequest = self.perRequest(read.version, responses, read.requester)
                return .cached(document, perRequest)
            }
            let document = builder.syndicated(read, tag, news, sent: known.tag)
            responses.keep(document, read.key(ofNewsSince: known.tag))
            let perRequest = self.perRequest(read.version, responses, read.requester)
            return .cached(document, perRequest)
        }
    }

    private func answer(
        _ response: Response,
        _ read: SyndicationRead,
        _ responses: VersionResponses
    ) -> Disposition {
        .response(completed(response, perRequest(read.version, responses, read.requester), read))
    }

    private func completed(
        _ response: Response,
        _ perRequest: CachedResponse.PerRequestFields,
        _ read: SyndicationRead
    ) -> Response {
        var response = response
        builder.cors.addListed(to: &response.fields, read.requester.listedOrigin)
        response.fields[.refreshAfter] = perRequest.number.map(String.init)
        return response
    }

    /// A version that a reader says it has.
    private struct DeltaBase {
        let version: Version
        /// As it was sent.
        let tag: String
        /// The part of the tag for everything else that the bytes depended on; `nil`: the tag has
        /// none.
        let check: String?
    }

    /// Whether A-IM takes what is new in a feed (RFC 3229 §10.5.3; with q=0 it does not).
    private static func takesFeedDeltas(_ value: String) -> Bool {
        value.utf8.split(separator: UInt8(ascii: ",")).contains { element in
            // A longer one is another manipulation, or none.
            guard element.count <= 100 else { return false }
            let parts = Substring(element).lowercased().split(separator: ";").map { part in
                part.filter { $0 != " " && $0 != "\t" }
            }
            return parts.first == "feed"
                && !parts.contains {
                    $0.hasPrefix("q=0") && !$0.contains { "123456789".contains($0) }
                }
        }
    }

    /// Versions of one request that are looked at.
    private static let deltaBaseLimit = 8

    /// The suffixes of the tags of coded representations.
    private static let codingNames: Set<Substring> = ["gzip", "deflate", "br", "zstd"]

    /// The versions that a reader has, if it takes what is new since then.
    private func deltaBases(_ head: RequestHead, _ read: SyndicationRead) -> [DeltaBase] {
        // Other pages are never sent in part: what slides into one is not new in the feed.
        guard read.page == SyndicationPage(), let manipulations = head.value(.aIM),
            let tags = head.value(.ifNoneMatch)
        else { return [] }
        guard FeedAPI.takesFeedDeltas(manipulations) else { return [] }
        var bases: [DeltaBase] = []
        let value = Array(tags.utf8)
        _ = value.span.scanEntityTags(lenient: true) { range, isWeak in
            // No tag of ours is longer.
            guard bases.count < FeedAPI.deltaBaseLimit, range.count <= 200 else { return }
            let text = String(decoding: value[range], as: UTF8.self)
            let pieces = text.split { $0 == "-" || $0 == ";" }
            guard let first = pieces.first, let token = Token(first),
                token.hasSameEpoch(as: read.version.token),
                let version = store.version(token, of: read.version.feed)
            else { return }
            let check = pieces.dropFirst().first { !FeedAPI.codingNames.contains($0) }
                .map(String.init)
            guard !bases.contains(where: { $0.version === version && $0.check == check }) else {
                return
            }
            let isQuoted = range.lowerBound > 0 && value[range.lowerBound - 1] == UInt8(ascii: "\"")
            let tag = (isWeak ? "W/" : "") + (isQuoted ? "\"\(text)\"" : text)
            bases.append(DeltaBase(version: version, tag: tag, check: check))
        }
        return bases
    }

    /// Works out the state that the bytes of a version's formats depend on, before the version can
    /// be seen, if its formats are read.
    ///
    /// It takes a look at each item of a page, which is not for a loop.
    func prepareFormats(_ publication: Publication) {
        guard let previous = publication.previous,
            cache.responses(for: previous).hasSyndicationCheck
        else { return }
        let version = publication.current
        let read = SyndicationRead(
            version: version,
            options: syndicationOptions(of: version.feed),
            sources: configuration.sources,
            format: .atom,
            coding: .identity,
            requester: .unknown,
            isDateToCome: false
        )
        _ = cache.responses(for: version).syndicationCheck(read.page) { read.check(of: version) }
    }
}
