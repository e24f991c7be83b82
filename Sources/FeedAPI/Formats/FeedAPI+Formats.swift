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
        let page = try SyndicationPage(request.query)
        let responses = cache.responses(for: version)
        let read = SyndicationRead(
            version: version,
            page: page,
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
            kind: .syndication(read.format, keepsIDs: read.options.keepsIDs, read.page),
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
        // Other pages are never sent in part: what slides into one is not new in the feed.
        guard read.page == SyndicationPage(), let manipulations = head.value(.aIM),
            let tags = head.value(.ifNoneMatch)
        else { return nil }
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

extension String {
    fileprivate var trimmingTrailingSpaces: String {
        var text = self
        while text.last == " " || text.last == "\t" { text.removeLast() }
        return text
    }
}
