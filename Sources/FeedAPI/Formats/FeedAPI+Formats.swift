import FeedFormats
import FeedModel
import FeedStore
import HTTPServer
import HTTPTypes
import HTTPWire

/// `GET /feeds/{feed}.json`, `.atom`, `.rss`: a feed for feed readers (docs/PROTOCOL.md,
/// "Formats").
extension FeedAPI {
    func readFormat(
        _ name: TargetPart,
        _ format: SyndicationFormat,
        _ request: borrowing RoutedRequest
    ) throws(Problem) -> Disposition {
        let suffix = format.rawValue.utf8.count + 1
        let feed = Array(request.head.text(name).utf8.dropLast(suffix))
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
        let outcome = request.head.readOutcome(
            tag,
            version,
            since: builder.configuredSecond,
            by: store
        )
        if case .failed(let condition) = outcome {
            return .response(builder.response(.failed(condition, tag), for: request.requester))
        }
        if case .send = outcome, !request.requester.isHead {
            let bases = deltaBases(request.head, read)
            if !bases.isEmpty { return delta(from: bases, tag, read, responses) }
        }
        return whole(tag, read, responses, outcome)
    }

    private func syndicationOptions(of feed: FeedName) -> SyndicatedFeed.Options {
        var options = SyndicatedFeed.Options(name: feed.rawValue)
        options.publicURL = configuration.publicURL
        options.entryBase = configuration.entryBase
        options.keepsIDs = configuration.sources?.isSourced(feed) ?? false
        if access.derived.has(feed) { options.derived = access.derived.names }
        return options
    }

    /// The document, made once for all who ask for it, or what stands for it.
    private func whole(
        _ tag: Tag,
        _ read: SyndicationRead,
        _ responses: VersionResponses,
        _ outcome: ReadCondition.Outcome
    ) -> Disposition {
        let (requester, key) = (read.requester, read.key)
        if let answer = headOnly(tag, read, responses, outcome) { return answer }
        if let found = responses[key] {
            return .now(completed(found, tag, read, responses, outcome))
        }
        let pool = work.reads(read.size)
        return .later { [self] responder in
            let waiter = VersionResponses.Waiter(isWanted: responder.isWanted) { document in
                guard let document else {
                    responder(self.overloadedByReads(requester))
                    return
                }
                responder(self.completed(document, tag, read, responses, outcome))
            }
            let job = responses.join(key, for: requester, waiter) { [builder] _ in
                builder.syndicated(read, tag)
            }
            job?.submit(to: pool)
        }
    }

    /// The answer where no content is sent and its coding is known before: nothing is made to be
    /// measured.
    private func headOnly(
        _ tag: Tag,
        _ read: SyndicationRead,
        _ responses: VersionResponses,
        _ outcome: ReadCondition.Outcome
    ) -> Disposition? {
        if case .notModified(let match) = outcome {
            let sent = responses[read.key]?.coding ?? read.foreseenCoding
            let coding = sent.map(match.coding(asSent:)) ?? match.coding(for: read.coding)
            return coding.map { answer(notModified(tag, read, $0), read, responses) }
        }
        guard read.requester.isHead, responses[read.key] == nil, let coding = read.foreseenCoding
        else { return nil }
        let fields = builder.syndicatedFields(read, tag, coding)
        return answer(Response(status: .ok, fields: fields, body: .unsent), read, responses)
    }

    private func notModified(
        _ tag: Tag,
        _ read: SyndicationRead,
        _ coding: ContentCoding
    ) -> Response {
        Response(status: .notModified, fields: builder.syndicationFields(read, tag, coding))
    }

    private func completed(
        _ document: CachedResponse,
        _ tag: Tag,
        _ read: SyndicationRead,
        _ responses: VersionResponses,
        _ outcome: ReadCondition.Outcome
    ) -> FinalResponse {
        let perRequest = perRequest(read.version, responses, read.requester)
        guard case .notModified(let match) = outcome else {
            return .cached(document, perRequest)
        }
        let response = notModified(tag, read, match.coding(asSent: document.coding))
        return .response(completed(response, perRequest, read))
    }

    /// What is new since a version that the reader has (RFC 3229 §10.5.3); the whole page where
    /// none of them was sent with what the bytes depend on today, or nearly all is new.
    private func delta(
        from bases: [DeltaBase],
        _ tag: Tag,
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
        /// What else its bytes depended on; `nil`: it does not say.
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

    /// The versions that a reader has, if it takes what is new since then.
    private func deltaBases(_ head: RequestHead, _ read: SyndicationRead) -> [DeltaBase] {
        // Other pages are never sent in part: what slides into one is not new in the feed.
        guard read.page == SyndicationPage(), let manipulations = head.value(.aIM),
            let tags = head.value(.ifNoneMatch)
        else { return [] }
        guard FeedAPI.takesFeedDeltas(manipulations) else { return [] }
        var bases: [DeltaBase] = []
        let parts = tags.utf8.split(separator: UInt8(ascii: ","), maxSplits: 100).prefix(100)
        // No tag of ours is longer.
        for part in parts where part.count <= 200 {
            let sent = Substring(part).drop { $0 == " " || $0 == "\t" }
            var text = sent.hasPrefix("W/") ? sent.dropFirst(2) : sent
            text = text.filter { $0 != "\"" && $0 != " " }[...]
            let pieces = text.split(separator: "-")
            guard let first = pieces.first, let token = Token(String(first)),
                token.hasSameEpoch(as: read.version.token),
                let version = store.version(token, of: read.version.feed)
            else { continue }
            let check = pieces.dropFirst().first { $0 != "gzip" && $0 != "deflate" }.map(
                String.init
            )
            guard !bases.contains(where: { $0.version === version && $0.check == check }) else {
                continue
            }
            let tag = String(sent).trimmingTrailingSpaces
            bases.append(DeltaBase(version: version, tag: tag, check: check))
            if bases.count == FeedAPI.deltaBaseLimit { break }
        }
        return bases
    }

    /// Works out for a version that nobody can see yet what the bytes of its formats depend on, if
    /// somebody reads them: it takes a look at each item of a page, which is not for a loop.
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

extension String {
    fileprivate var trimmingTrailingSpaces: String {
        var text = self
        while text.last == " " || text.last == "\t" { text.removeLast() }
        return text
    }
}
