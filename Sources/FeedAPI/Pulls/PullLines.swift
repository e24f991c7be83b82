import HTTPTypes
import HTTPWire

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
