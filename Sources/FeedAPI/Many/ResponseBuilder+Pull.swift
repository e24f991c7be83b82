import HTTPServer
import HTTPTypes
import HTTPWire

extension ResponseBuilder {
    /// The head of `200` with documents.
    func head(_ pull: Pull, _ coding: ContentCoding, _ read: PullRead) -> Response {
        var fields = fields(pull, coding, read)
        fields[.contentType] = "application/json"
        fields[.acceptRanges] = "none"
        if coding != .identity { fields[.contentEncoding] = coding.name }
        return Response(status: .ok, fields: fields, body: .unsent)
    }

    func notModified(
        _ pull: Pull,
        _ coding: ContentCoding,
        _ read: PullRead
    ) -> CachedResponse {
        let response = Response(status: .notModified, fields: fields(pull, coding, read))
        return CachedResponse(response, openField: .refreshAfter)
    }

    private func fields(_ pull: Pull, _ coding: ContentCoding, _ read: PullRead) -> HTTPFields {
        var fields: HTTPFields = [
            .eTag: pull.tag.text(coding), .cacheControl: "no-cache",
            .vary: "Accept-Encoding, Prefer, Authorization",
        ]
        read.poll?.mark.mark(&fields)
        cors.addCommon(to: &fields)
        return fields
    }
}
