import FeedModel
import FeedStore
import HTTPServer
import HTTPTypes
import HTTPWire
import Platform

/// Answers requests for the list of feeds.
extension FeedAPI {
    /// `GET /feeds`: the feeds that the caller may read.
    ///
    /// - Throws: `401` without a key if every feed needs a key, `400` for a malformed query.
    func readFeeds(_ request: borrowing RoutedRequest) throws(Problem) -> Reply {
        let caller = request.caller
        try checkMayReadAny(caller)
        let query = try FeedListQuery(request.query)
        let (store, access) = (store, access)
        let parts = ReadParts(request)
        let patterns = access.readable(by: caller)
        return reply(query.size(for: patterns, of: store), parts.client) {
            let feeds = query.feeds(of: store, matching: patterns) { access.mayRead($0, caller) }
            let configuration = self.configuration
            return self.list(feeds, query, parts) { feed in
                guard (try? access.checkWrite(feed, caller)) != nil else { return nil }
                return (
                    configuration.sources?.report(on: feed), configuration.derivationFailure(feed)
                )
            }
        }
    }
}

extension FeedAPI {
    /// Returns a page of the list of feeds.
    ///
    /// - Parameters:
    ///   - feeds: The feeds of the page, and one more if there is a next page.
    ///   - report: Returns the state of a feed's source, and the reason why a derived feed is not
    ///     up to date; `nil` if the caller may not write the feed.
    fileprivate func list(
        _ feeds: [Version],
        _ query: FeedListQuery,
        _ parts: ReadParts,
        report: (FeedName) -> (source: SourceReport?, derivationFailure: String?)?
    ) -> Response {
        let (page, next) = query.page(of: feeds, \.feed)
        return list(
            FeedAPI.listDocument(page, next, report),
            type: "application/json",
            vary: "Accept-Encoding, Authorization",
            next: next,
            parts
        )
    }

    /// Returns a list in any format, or the `304` or `412` in its place; its tag is a hash of the
    /// document, because lists have no token.
    ///
    /// - Parameter next: The reference to the next page, for Link; `nil` on the last page.
    func list(
        _ document: [UInt8],
        type: String,
        vary: String,
        next: String?,
        _ parts: ReadParts
    ) -> Response {
        let tag = EntityTag(SHA256Digest(of: document.span))
        var fields: HTTPFields = [.cacheControl: "no-cache", .vary: vary]
        if let response = conditionalResponse(parts, tag, fields) {
            return response
        }
        let (body, coding) = FeedAPI.coded(document, parts.coding) ?? (document, .identity)
        fields[.contentType] = type
        fields[.xContentTypeOptions] = "nosniff"
        fields[.eTag] = tag.text(coding)
        if coding != .identity {
            fields[.contentEncoding] = coding.name
            countCompression()
        }
        if let next { fields[.link] = "<\(next)>; rel=\"next\"" }
        return Response(status: .ok, fields: fields, body: .bytes(body))
    }

    /// Returns the `304` or `412` that a read's conditions lead to, for content without a version;
    /// `nil` if the content is to be sent.
    ///
    /// - Parameters:
    ///   - tag: The tag of the content without a coding.
    ///   - fields: The fields of both `304` and `200` (RFC 9110 §15.4.5), without the tag.
    func conditionalResponse(
        _ parts: ReadParts,
        _ tag: EntityTag,
        _ fields: HTTPFields
    ) -> Response? {
        switch parts.condition.outcome(tag) {
        case .send: return nil
        case .failed(let condition): return Problem.failed(condition, tag).response
        case .notModified(let coding):
            var fields = fields
            fields[.eTag] = tag.text(coding)
            return Response(status: .notModified, fields: fields)
        }
    }

    private static func listDocument(
        _ page: ArraySlice<Version>,
        _ next: String?,
        _ report: (FeedName) -> (source: SourceReport?, derivationFailure: String?)?
    ) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("kind", "feeds")
        writer.beginArray("feeds")
        for version in page {
            writer.beginObject()
            writer.member("id", version.feed.rawValue)
            if let title = version.snapshot.members["title"] {
                writer.member("title", json: title.bytes)
            }
            writer.member("token", version.token.description)
            writer.member("count", version.count)
            writer.member("changed", CivilDate.rfc3339(Int(version.published)))
            if let report = report(version.feed) {
                if let source = report.source { write(source, to: &writer) }
                if let failure = report.derivationFailure {
                    writer.beginObject("derive")
                    writer.member("error", failure)
                    writer.endObject()
                }
            }
            writer.endObject()
        }
        writer.endArray()
        if let next { writer.member("next", next) }
        writer.endObject()
        return writer.finish()
    }

    /// Writes the state of a feed's source as the member `source`; only callers that may write the
    /// feed get it.
    static func write(_ report: SourceReport, to writer: inout JSONWriter) {
        writer.beginObject("source")
        writer.member("location", report.location)
        if report.succeeded > 0 {
            writer.member("succeeded", CivilDate.rfc3339(report.succeeded))
        }
        if let error = report.error {
            writer.member("error", error)
            if let reason = report.reason { writer.member("reason", reason) }
            writer.member("failures", report.failureCount)
        }
        if !report.notes.isEmpty {
            writer.beginArray("notes")
            for note in report.notes { writer.string(note) }
            writer.endArray()
        }
        if let next = report.next { writer.member("next", CivilDate.rfc3339(next)) }
        if let push = report.push { write(push, to: &writer) }
        writer.endObject()
    }

    private static func write(_ push: SourceReport.Push, to writer: inout JSONWriter) {
        writer.beginObject("push")
        writer.member("hub", push.hub)
        if push.until > 0 { writer.member("until", CivilDate.rfc3339(push.until)) }
        if push.last > 0 { writer.member("last", CivilDate.rfc3339(push.last)) }
        writer.member("missed", push.missedCount)
        if let error = push.error { writer.member("error", error) }
        writer.endObject()
    }
}
