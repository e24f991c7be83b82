import HTTPServer
import HTTPTypes
import HTTPWire

/// Makes the responses to pulls.
extension FeedAPI {
    /// Returns the `200` or `304` of a pull; its head begins with the lines of
    /// ``pullStarts(_:)``, which are prepared once.
    ///
    /// - Parameters:
    ///   - coding: The coding of the content; for a `304`, the coding that its tag names.
    ///   - content: The content in its coding; `nil`: the head has no Content-Length.
    func payload(
        of pull: Pull,
        _ status: HTTPResponse.Status,
        in coding: ContentCoding,
        _ content: [UInt8]?
    ) -> Payload {
        let applied = pull.applied
        let start = status == .ok ? pullStarts.ok : pullStarts.notModified
        return Payload(
            status: status,
            headByteLimit: start.count + pull.tag.bytes.count + FeedAPI.pullRestByteLimit,
            coding: coding,
            openField: FeedAPI.refreshAfter,
            body: content ?? []
        ) { head in
            head.append(copying: start.span)
            head.append(applied == nil ? "Cache-Control: no-cache" : "Cache-Control: no-store")
            head.append("\r\nETag: \"")
            head.append(copying: pull.tag.bytes.span)
            switch (coding, status) {
            case (.identity, _): head.append("\"\r\n")
            case (.gzip, .ok): head.append("-gzip\"\r\nContent-Encoding: gzip\r\n")
            case (.gzip, _): head.append("-gzip\"\r\n")
            }
            if let seconds = applied?.preferred {
                head.append("Preference-Applied: wait=")
                head.append(decimal: seconds)
                head.append("\r\n")
            }
            if let content {
                head.append("Content-Length: ")
                head.append(decimal: content.count)
                head.append("\r\n")
            }
        }
    }

    /// The most bytes of the head behind the prepared lines, without the entity tag.
    private static var pullRestByteLimit: Int { 160 }

    /// Returns the beginnings of the heads of pulls, up to Cache-Control.
    static func pullStarts(_ cors: CORS) -> (ok: [UInt8], notModified: [UInt8]) {
        func start(_ status: HTTPResponse.Status, _ fields: HTTPFields) -> [UInt8] {
            var response = Response(status: status, fields: fields)
            cors.add(to: &response)
            var start: [UInt8] = []
            ResponseHeadEncoder.append(status: status, fields: response.fields, to: &start)
            return start
        }
        let vary = "Accept-Encoding, Prefer, Authorization"
        return (
            start(.ok, [.vary: vary, .contentType: "application/json"]),
            start(.notModified, [.vary: vary])
        )
    }
}
