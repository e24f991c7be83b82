import FeedModel
import FeedStore
import HTTPServer
import HTTPTypes
import HTTPWire

/// Answers requests for streams of the changes of feeds (`text/event-stream`, HTML Standard,
/// "Server-sent events").
extension FeedAPI {
    /// `GET /events`: the changes of several feeds.
    func readEvents(_ request: borrowing RoutedRequest) throws(Problem) -> Reply {
        try checkMayReadAny(request.caller)
        return try events(FeedSelection(request), request)
    }

    /// `GET /feeds/{feed}/events`: the changes of one feed.
    func readFeedEvents(_ request: borrowing RoutedRequest) throws(Problem) -> Reply {
        let lookup = try lookUp(request)
        if lookup.isHidden { return .cached(noFeed) }
        let since = try request.query.token(.since)
        let presentation = try Presentation(request.query)
        guard let version = lookup.version else { return .cached(noFeed) }
        return try events(
            FeedSelection(version.feed, since: since, presentation),
            request,
            hint: store.pollingHint(version)
        )
    }

    private func events(
        _ selection: FeedSelection,
        _ request: borrowing RoutedRequest,
        hint: Int? = nil
    ) throws(Problem) -> Reply {
        var selection = selection
        try selection.resume(request)
        let coding = request.codings.choice
        let stream = FeedStream(
            selection,
            for: request.client,
            with: request.caller,
            of: self,
            in: coding.coding
        )
        return .response(streaming(stream, coding, hint: hint))
    }

    /// Returns the response whose content is a stream of events.
    ///
    /// - Parameters:
    ///   - stream: The stream, whose bytes are in the coding.
    ///   - hint: The value of Refresh-After in seconds; `nil`: the response has none.
    func streaming(
        _ stream: any ResponseStream,
        _ coding: CodingChoice,
        hint: Int? = nil
    ) -> Response {
        var fields: HTTPFields = [
            .contentType: "text/event-stream", .cacheControl: "no-store", .accelBuffering: "no",
            .vary: "Accept-Encoding, Authorization", .xContentTypeOptions: "nosniff",
            .incremental: "?1",
        ]
        fields[.refreshAfter] = hint.map(String.init)
        if coding.coding == .gzip { fields[.contentEncoding] = coding.coding.name }
        return Response(status: .ok, fields: fields, body: .stream(stream))
    }
}
