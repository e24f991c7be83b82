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
        var head = head(pullLines.ok, tag, coding, mark)
        switch coding {
        case .identity: break
        case .gzip: head.append(bytesOf: PullLines.gzip)
        case .deflate: head.append(bytesOf: PullLines.deflate)
        }
        if let content {
            head.append(bytesOf: PullLines.contentLength)
            head.append(decimal: content.count)
            head.append(bytesOf: PullLines.lineEnd)
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
            head: head(pullLines.notModified, tag, coding, mark),
            coding: coding,
            openField: ResponseBuilder.refreshAfter,
            body: []
        )
    }

    private func head(
        _ lines: [UInt8],
        _ tag: Tag,
        _ coding: ContentCoding,
        _ mark: WaitPreference.Mark?
    ) -> [UInt8] {
        var head: [UInt8] = []
        head.reserveCapacity(lines.count + 160)
        head.append(bytesOf: lines)
        head.append(bytesOf: mark == nil ? PullLines.noCache : PullLines.noStore)
        if let seconds = mark?.preferred { head += "Preference-Applied: wait=\(seconds)\r\n".utf8 }
        head.append(bytesOf: PullLines.tagStart)
        tag.append(to: &head)
        head += coding.tagSuffix.utf8
        head.append(bytesOf: PullLines.tagEnd)
        return head
    }
}

/// Lines of the heads of answers to pulls.
struct PullLines: Sendable {
    /// What all `200` begin with.
    let ok: [UInt8]
    /// What all `304` begin with.
    let notModified: [UInt8]

    init(_ cors: CORS) {
        var fields: HTTPFields = [.vary: "Accept-Encoding, Prefer, Authorization"]
        cors.addCommon(to: &fields)
        var short: [UInt8] = []
        ResponseHeadEncoder.append(status: .notModified, fields: fields, to: &short)
        notModified = short
        fields[.contentType] = "application/json"
        fields[.acceptRanges] = "none"
        var long: [UInt8] = []
        ResponseHeadEncoder.append(status: .ok, fields: fields, to: &long)
        ok = long
    }

    fileprivate static let noCache = Array("Cache-Control: no-cache\r\n".utf8)
    fileprivate static let noStore = Array("Cache-Control: no-store\r\n".utf8)
    fileprivate static let tagStart = Array("ETag: \"".utf8)
    fileprivate static let tagEnd = Array("\"\r\n".utf8)
    fileprivate static let gzip = Array("Content-Encoding: gzip\r\n".utf8)
    fileprivate static let deflate = Array("Content-Encoding: deflate\r\n".utf8)
    fileprivate static let contentLength = Array("Content-Length: ".utf8)
    fileprivate static let lineEnd = Array("\r\n".utf8)
}
