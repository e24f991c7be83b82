import FeedFormats
import FeedModel
import FeedStore
import HTTPServer
import HTTPWire

/// `GET /feeds/{feed}.json`, `.atom`, `.rss`: a feed for feed readers (docs/PROTOCOL.md,
/// "Feed readers").
extension FeedAPI {
    func readFormat(_ request: borrowing RoutedRequest) throws(Problem) -> Reply {
        let name = request.route.feed
        guard let format = SyndicationFormat(endOf: name, in: request.head.bytes.span) else {
            return .cached(noFeed)
        }
        let feed = format.feed(in: request.head.text(name))
        guard let version = try lookUp(feed.span, request.caller).version else {
            return .cached(noFeed)
        }
        let page = try SyndicationPage(request.query)
        let responses = cache.responses(for: version)
        // Only the first page is sent as a difference (RFC 3229): an item that moves to a later
        // page is not new in the feed.
        let takesNews = page == SyndicationPage() && SentPage.areNewsTaken(by: request.head)
        let syndication = syndication(format, page, of: version, responses, takesNews: takesNews)
        let context = VersionRead(version, request, self, stamp: syndication.stamp)
        let sent =
            takesNews && !request.method.isHead
            ? SentPage.first(in: request.head, of: version, in: store) : nil
        let choice = DocumentChoice(
            syndication,
            coding: request.codings.choice,
            of: version,
            since: sent,
            in: responses
        )
        return respond(choice, context)
    }
}
