import FeedModel
import HTTPServer
import HTTPTypes
import HTTPWire

/// `GET /events` and `GET /feeds/{feed}/events`: changes as they come.
extension FeedAPI {
    func readEvents(_ call: Call) throws(Problem) -> Reception {
        try checkMayReadAny(call.caller)
        return events(try FeedSelection(call.query), call)
    }

    func readEvents(of name: ExactString, _ call: Call) throws(Problem) -> Reception {
        let feed = try readable(name, call)
        let selection = FeedSelection(
            feed,
            since: try call.query.token("since"),
            view: try FeedView(call.query)
        )
        _ = try version(nil, of: feed)
        return events(selection, call, hint: composer.pacing.hint(feed))
    }

    private func events(
        _ selection: FeedSelection,
        _ call: Call,
        hint: Int? = nil
    ) -> Reception {
        var selection = selection
        if let id = call.head.value(.lastEventID) { selection.resume(after: id) }
        let coding = call.coding
        let isGzip = coding.coding == .gzip
        var fields: HTTPFields = [
            .contentType: "text/event-stream", .cacheControl: "no-store", .accelBuffering: "no",
            .vary: "Accept-Encoding, Authorization",
        ]
        composer.cors.add(to: &fields, for: call.origin)
        fields[.refreshAfter] = hint.map(String.init)
        if isGzip { fields[.contentEncoding] = coding.coding.name }
        let stream = FeedStream(selection, call.caller, live, isGzip: isGzip)
        let response = Response(status: .ok, fields: fields, body: .stream(stream))
        return .answer(coding.coding == .deflate ? response.streamCoded(coding) : response)
    }
}
