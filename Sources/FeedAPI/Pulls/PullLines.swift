import HTTPTypes
import HTTPWire

/// Lines of the heads of answers to pulls.
struct PullLines: Sendable {
    /// The beginning of a `200` head, up to the tag: plain, and for a client that was ready to
    /// wait.
    let ok, okAfterWait: [UInt8]
    /// The beginning of a `304` head, up to the tag: plain, and for a client that was ready to
    /// wait.
    let notModified, notModifiedAfterWait: [UInt8]

    /// The part behind the tag: of a `200`, and of a `304`.
    let okTagEnds = TagEnds { coding in
        coding == .identity ? "" : "Content-Encoding: \(coding.name)\r\n"
    }
    let notModifiedTagEnds = TagEnds { _ in "" }

    init(_ cors: CORS) {
        let vary: HTTPFields = [.vary: "Accept-Encoding, Prefer, Authorization"]
        var fields = vary
        cors.addOrigin(to: &fields)
        notModified = PullLines.start(.notModified, fields, "no-cache")
        notModifiedAfterWait = PullLines.start(.notModified, fields, "no-store")
        fields = vary
        cors.addCommon(to: &fields)
        fields[.contentType] = "application/json"
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

extension PullLines {
    /// The part of a head behind the tag, for each coding.
    struct TagEnds: Sendable {
        private let identity, gzip: [UInt8]

        /// - Parameter lines: The lines behind the tag's.
        init(_ lines: (ContentCoding) -> String) {
            func end(_ coding: ContentCoding) -> [UInt8] {
                Array((coding.tagSuffix + "\"\r\n" + lines(coding)).utf8)
            }
            (identity, gzip) = (end(.identity), end(.gzip))
        }

        subscript(coding: ContentCoding) -> [UInt8] {
            switch coding {
            case .identity: identity
            case .gzip: gzip
            }
        }
    }
}
