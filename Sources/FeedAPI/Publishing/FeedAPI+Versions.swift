import FeedDiff
import FeedModel
import FeedStore
import HTTPServer
import HTTPTypes
import HTTPWire

/// The older versions of feeds, for those who may publish (docs/PUBLISHING.md, "Going back").
extension FeedAPI {
    /// `GET /feeds/{feed}/versions`: the remembered versions, the newest first.
    ///
    /// - Throws: `401`, `403`, `404` for who may not write the feed, `410` for a version before which
    ///   the list cannot begin.
    func readVersions(_ request: borrowing RoutedRequest) throws(Problem) -> Disposition {
        guard case .key = request.caller else { throw .unauthorized("this needs a key") }
        guard let feed = FeedName(request.head.text(request.route.feed)) else { throw .noFeed }
        try access.checkWrite(feed, request.caller)
        let limit = try request.query.number(.limit, in: 1...RowQuery.maximumLimit) ?? 20
        let before = try request.query.token(.before)
        guard store.current(feed) != nil else { throw .noFeed }
        guard let found = store.versions(of: feed, before: before, limit: limit + 1) else {
            throw FeedAPI.forgotten(before, first: FeedAPI.reference(request.query, nil))
        }
        let page = found.prefix(limit)
        let last = found.count > limit ? page.last?.token : nil
        let next = last.map { FeedAPI.reference(request.query, $0) }
        var fields: HTTPFields = [
            .contentType: "application/json", .cacheControl: "no-store",
            .xContentTypeOptions: "nosniff",
        ]
        if let next { fields[.link] = "<\(next)>; rel=\"next\"" }
        if !access.isOpen(feed) { fields.addVary("Authorization") }
        builder.cors.add(to: &fields, for: request.requester)
        let outcome = request.head.outcomeWithoutTag
        let size = WorkSize(byteCount: 200 * found.count)
        return disposition(size, feed, request.requester) { [fields] in
            let body = FeedAPI.document(page, of: feed, next: next)
            let response = Response(status: .ok, fields: fields, body: .bytes(body))
            return .response(outcome.response(inPlaceOf: response))
        }
    }

    /// `POST /feeds/{feed}/restore`: makes the content of a remembered version current again.
    func restore(_ routed: borrowing RoutedRequest) throws(Problem) -> Disposition {
        var request = try PublishRequest(
            routed,
            access,
            accepting: [],
            knowing: [.dryRun, .version]
        )
        guard let token = try routed.query.token(.version) else {
            throw .malformed("the query parameter \"version\" says which version, and is missing")
        }
        request.origin = .restored(token)
        let (store, feed) = (store, request.feed)
        let change = PublishAction.change { _ throws(Problem) in
            { _ throws(Problem) in
                guard let version = store.version(token, of: feed) else {
                    throw FeedAPI.forgotten(token, first: nil)
                }
                return version.snapshot
            }
        } response: { [isDryRun = request.isDryRun] publication in
            PublishedDocument.response(publication, isDryRun: isDryRun, isNew: false)
        }
        return beginPublish(request, change)
    }

    private static func forgotten(_ token: Token?, first: String?) -> Problem {
        let words = token.map { "the version \($0)" } ?? "that version"
        var problem = Problem(
            .versionForgotten,
            .gone,
            "\(words) of this feed is not remembered"
        )
        if let first { problem.fields[.link] = "<\(first)>; rel=\"first\"" }
        return problem
    }

    /// The reference to a page of the list, relative to the request's URL.
    private static func reference(_ query: Query, _ before: Token?) -> String {
        let added = before.map { [(Query.Parameter.before, $0.description)] } ?? []
        return query.reference(without: [.before], adding: added)
    }

    private static func document(
        _ versions: ArraySlice<Version>,
        of feed: FeedName,
        next: String?
    ) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("kind", "versions")
        writer.member("feed", feed.rawValue)
        writer.beginArray("versions")
        for version in versions {
            writer.beginObject()
            writer.member("token", version.token.description)
            writer.member("published", CivilDate.rfc3339(Int(version.published)))
            write(version.origin, to: &writer)
            if let counts = version.itemCounts {
                PublishedDocument.write("items", counts, to: &writer)
            }
            writer.member("count", version.count)
            writer.endObject()
        }
        writer.endArray()
        if let next { writer.member("next", next) }
        writer.endObject()
        return writer.finish()
    }

    private static func write(_ origin: VersionOrigin?, to writer: inout JSONWriter) {
        guard let origin else { return writer.member("by", json: Array("null".utf8)) }
        writer.beginObject("by")
        switch origin {
        case .key(let name): writer.member("key", name)
        case .signer(let kid): writer.member("kid", kid)
        case .source: writer.member("source", true)
        case .derivation: writer.member("derived", true)
        case .restored(let token): writer.member("restore", token.description)
        }
        writer.endObject()
    }
}
