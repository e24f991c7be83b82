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
        guard let (query, version) = try page(request, takesIDs: true) else {
            return .cached(noFeed)
        }
        return respond(
            query.ids.isEmpty ? .rows(query.page()) : .items(query.ids),
            version,
            request
        )
    }

    /// `GET /feeds/{feed}/sections/{id}`: rows of a section.
    func readSection(_ request: borrowing RoutedRequest) throws(Problem) -> Reply {
        guard let (query, version) = try page(request, takesIDs: false) else {
            return .cached(noFeed)
        }
        let id = request.id
        guard version.snapshot.position(ofSection: id) != nil else {
            throw .notFound("there is no such section in this feed")
        }
        return respond(.rows(query.page(of: id)), version, request)
    }

    /// `GET /feeds/{feed}/items/{id}`: an item as it was published.
    func readItem(_ request: borrowing RoutedRequest) throws(Problem) -> Reply {
        guard let version = try lookUp(request).version else { return .cached(noFeed) }
        let id = request.id
        guard version.snapshot.item(id) != nil else {
            throw .notFound("there is no such item in this feed")
        }
        return respond(.item(id), version, request)
    }

    /// Reads the query of a read of rows, and finds the version to page through.
    ///
    /// - Returns: `nil` if the feed does not exist, or the caller may not know whether it does.
    /// - Throws: `400` for a malformed query; `410` for a forgotten version, with a link to the
    ///   first page of the current one.
    private func page(
        _ request: borrowing RoutedRequest,
        takesIDs: Bool
    ) throws(Problem) -> (query: RowQuery, version: Version)? {
        let lookup = try lookUp(request)
        if lookup.isHidden { return nil }
        let query = try RowQuery(request.query, takesIDs: takesIDs)
        guard let current = lookup.version else { return nil }
        do throws(Problem) {
            let kept = request.lookUps?.journalVersion
            return (query, try version(query.version, after: current, kept))
        } catch {
            var problem = error
            if problem.kind == .versionForgotten {
                problem.fields[.link] = "<\(query.first)>; rel=\"first\""
            }
            throw problem
        }
    }
}
