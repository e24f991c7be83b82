import HTTPServer
import HTTPTypes
import HTTPWire

/// Answers to pulls. Their heads are put together from lines that are the same for all.
extension ResponseBuilder {
    /// `200` with documents.
    ///
    /// - Parameters:
    ///   - tag: That of the pull.
    ///   - coding: How the content is coded.
    ///   - mark: What it says to those who were ready to wait.
    ///   - content: Coded; `nil`: its length is not said.
    func pull(
        _ tag: Tag,
        _ coding: ContentCoding,
        _ mark: WaitPreference.Mark?,
        _ content: [UInt8]?
    ) -> CachedResponse {
        var head = head(mark == nil ? pullLines.ok : pullLines.okAfterWait, tag, coding, mark)
        switch coding {
        case .identity: break
        case .gzip: head.append(bytesOf: pullLines.gzip)
        case .deflate: head.append(bytesOf: pullLines.deflate)
        }
        if let content {
            head.append(bytesOf: pullLines.contentLength)
            head.append(decimal: content.count)
            head.append(bytesOf: pullLines.lineEnd)
        }
        return CachedResponse(
            status: .ok,
            head: head,
            coding: coding,
            openField: ResponseBuilder.refreshAfter,
            body: content ?? []
        )
    }

    /// `304` in the place of a pull.
    func notModified(
        _ tag: Tag,
        _ coding: ContentCoding,
        _ mark: WaitPreference.Mark?
    ) -> CachedResponse {
        CachedResponse(
            status: .notModified,
            head: head(
                mark == nil ? pullLines.notModified : pullLines.notModifiedAfterWait,
                tag,
                coding,
                mark
            ),
            coding: coding,
            openField: ResponseBuilder.refreshAfter,
            body: []
        )
    }

    private func head(
        _ start: [UInt8],
        _ tag: Tag,
        _ coding: ContentCoding,
        _ mark: WaitPreference.Mark?
    ) -> [UInt8] {
        var head: [UInt8] = []
        head.reserveCapacity(start.count + 200)
        head.append(bytesOf: start)
        tag.append(to: &head)
        switch coding {
        case .identity: head.append(bytesOf: pullLines.tagEnd)
        case .gzip: head.append(bytesOf: pullLines.gzipTagEnd)
        case .deflate: head.append(bytesOf: pullLines.deflateTagEnd)
        }
        if let seconds = mark?.preferred { head += "Preference-Applied: wait=\(seconds)\r\n".utf8 }
        return head
    }
}

/// Lines of the heads of answers to pulls.
struct PullLines: Sendable {
    /// What heads begin with, up to the tag: of a `200`, and of one for a client that was ready to
    /// wait.
    let ok, okAfterWait: [UInt8]
    /// The same of a `304`.
    let notModified, notModifiedAfterWait: [UInt8]

    let tagEnd = Array("\"\r\n".utf8)
    let gzipTagEnd = Array("-gzip\"\r\n".utf8)
    let deflateTagEnd = Array("-deflate\"\r\n".utf8)
    let gzip = Array("Content-Encoding: gzip\r\n".utf8)
    let deflate = Array("Content-Encoding: deflate\r\n".utf8)
    let contentLength = Array("Content-Length: ".utf8)
    let lineEnd = Array("\r\n".utf8)

    init(_ cors: CORS) {
        var fields: HTTPFields = [.vary: "Accept-Encoding, Prefer, Authorization"]
        cors.addCommon(to: &fields)
        notModified = PullLines.start(.notModified, fields, "no-cache")
        notModifiedAfterWait = PullLines.start(.notModified, fields, "no-store")
        fields[.contentType] = "application/json"
        fields[.acceptRanges] = "none"
        ok = PullLines.start(.ok, fields, "no-cache")
        okAfterWait = PullLines.start(.ok, fields, "no-store")
    }

    private static func start(
        _ status: HTTPResponse.Status,
        _ fields: HTTPFields,
        _ cacheControl: String
    ) -> [UInt8] {
        var fields = fields
        fields[.cacheControl] = cacheControl
        var start: [UInt8] = []
        ResponseHeadEncoder.append(status: status, fields: fields, to: &start)
        return start + "ETag: \"".utf8
    }
}
