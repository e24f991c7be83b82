import FeedFormats
import FeedModel
import FeedStore
import HTTPServer

/// `GET /feeds.opml`: the feeds that everyone may read, for feed readers (docs/PROTOCOL.md, "Feed
/// readers").
extension FeedAPI {
    func readOPML(_ request: borrowing RoutedRequest) throws(Problem) -> Reply {
        let query = try FeedListQuery(request.query, defaultLimit: RowQuery.maximumLimit)
        let (store, access) = (store, access)
        let base = configuration.publicURL ?? ""
        let parts = ReadParts(request)
        return reply(query.size(for: access.open, of: store), parts.client) {
            let feeds = query.feeds(of: store, matching: access.open) { access.isOpen($0) }
            let (page, next) = query.page(of: feeds, \.feed)
            let list = OPMLWriter(
                title: "Feeds",
                page.map { version in
                    OPMLWriter.Entry(
                        name: version.feed.rawValue,
                        title: version.snapshot.members["title"]?.stringValue,
                        site: version.snapshot.members["url"]?.stringValue,
                        address: "\(base)/feeds/\(version.feed).atom"
                    )
                }
            )
            // The open feeds depend on the configuration, and not on the caller.
            return self.list(
                list.document,
                type: OPMLWriter.mediaType,
                vary: "Accept-Encoding",
                next: next,
                parts
            )
        }
    }
}
