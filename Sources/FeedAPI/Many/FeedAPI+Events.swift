import FeedModel
import FeedStore
import HTTPServer
import HTTPTypes
import HTTPWire

/// `GET /events` and `GET /feeds/{feed}/events`: changes as they come.
extension FeedAPI {
    func readEvents(_ request: borrowing RoutedRequest) throws(Problem) -> Disposition {
        try checkMayReadAny(request.caller)
        return events(try FeedSelection(request.query), request)
    }

    func readEvents(
        of name: TargetPart,
        _ request: borrowing RoutedRequest
    ) throws(Problem) -> Disposition {
        guard let found = try visible(name, request) else { return notFound(request.origin) }
        let since = try request.query.token(.since)
        let presentation = try Presentation(request.query)
        guard let version = found else { return notFound(request.origin) }
        return events(
            FeedSelection(version.feed, since: since, presentation),
            request,
            hint: builder.polling.hint(version)
        )
    }

    private func events(
        _ selection: FeedSelection,
        _ request: borrowing RoutedRequest,
        hint: Int? = nil
    ) -> Disposition {
        var selection = selection
        if let id = request.head.value(.lastEventID) { selection.resume(after: id) }
        let coding = request.head.codingChoice
        let isGzip = coding.coding == .gzip
        var fields: HTTPFields = [
            .contentType: "text/event-stream", .cacheControl: "no-store", .accelBuffering: "no",
            .vary: "Accept-Encoding, Authorization",
        ]
        builder.cors.add(to: &fields, for: request.origin)
        fields[.refreshAfter] = hint.map(String.init)
        if isGzip { fields[.contentEncoding] = coding.coding.name }
        let stream = FeedStream(selection, request.caller, currentConfiguration, isGzip: isGzip)
        let response = Response(status: .ok, fields: fields, body: .stream(stream))
        return .answer(coding.coding == .deflate ? response.streamCoded(coding) : response)
    }
}
