import FeedModel
import FeedStore
import HTTPServer
import HTTPTypes
import HTTPWire

/// Answers reads of rows: the items of a feed by position or by id (docs/PROTOCOL.md, "Rows on
/// demand").
extension FeedAPI {
    /// `GET /feeds/{feed}/items`: rows of the whole feed.
    func readItems(_ request: borrowing RoutedRequest) throws(Problem) -> Reply {
        let lookup = try lookUp(request)
        if lookup.isHidden { return notFound(request.requester) }
        let query = try RowQuery(request.query, takesIDs: true)
        guard let current = lookup.version else { return notFound(request.requester) }
        let version = try version(query, after: current, request.found?.journalVersion)
        return respond(
            query.ids.isEmpty ? .rows(query.page()) : .items(query.ids),
            version,
            request
        )
    }

    /// `GET /feeds/{feed}/sections/{id}`: rows of a section.
    func readSection(_ request: borrowing RoutedRequest) throws(Problem) -> Reply {
        let lookup = try lookUp(request)
        if lookup.isHidden { return notFound(request.requester) }
        let query = try RowQuery(request.query, takesIDs: false)
        guard let current = lookup.version else { return notFound(request.requester) }
        let version = try version(query, after: current, request.found?.journalVersion)
        let id = request.id
        guard version.snapshot.position(ofSection: id) != nil else {
            throw .notFound("there is no such section in this feed")
        }
        return respond(.rows(query.page(of: id)), version, request)
    }

    /// `GET /feeds/{feed}/items/{id}`: an item as it was published.
    func readItem(_ request: borrowing RoutedRequest) throws(Problem) -> Reply {
        guard let version = try lookUp(request).version else {
            return notFound(request.requester)
        }
        let id = request.id
        guard version.snapshot.item(id) != nil else {
            throw .notFound("there is no such item in this feed")
        }
        return respond(.item(id), version, request)
    }

    /// Returns the version to page through.
    ///
    /// - Parameters:
    ///   - query: The query, which may name a version.
    ///   - current: The current version of the feed.
    ///   - kept: An older version that was read from the journal for this request, if one was.
    /// - Throws: `410` for a forgotten version; it links to the first page of the current one.
    private func version(
        _ query: RowQuery,
        after current: Version,
        _ kept: Version?
    ) throws(Problem) -> Version {
        do {
            return try version(query.version, after: current, kept)
        } catch {
            var problem = error
            if problem.kind == .versionForgotten {
                problem.fields[.link] = "<\(query.first)>; rel=\"first\""
            }
            throw problem
        }
    }
}
