import HTTPTypes
import HTTPWire

/// A file in one content coding, ready to be sent: fields, validators and content.
struct FileRepresentation {
    /// The requested file, or its precompressed copy.
    let file: OpenFile
    let type: FileType
    private(set) var coding = ContentCoding.identity
    /// Content that is in memory and is sent in place of the file's; `nil`: the file's own content.
    ///
    /// Ranges are not served from content in memory: another server or another version of zlib may
    /// make other bytes of the same file.
    private(set) var made: [UInt8]?
    /// The entity tag of the content without a coding; `nil`: the file may be changing.
    private var tag: EntityTag?
    /// Whether the URL never has other content, so that a cache may use it forever.
    private var isImmutable = false

    /// Makes the representation of a file without a coding.
    init(_ file: OpenFile, _ type: FileType) {
        self.file = file
        self.type = type
        tag = file.tag
    }

    /// Returns the same file with compressed content.
    func coded(_ bytes: [UInt8], as coding: ContentCoding) -> FileRepresentation {
        var coded = self
        (coded.made, coded.coding) = (bytes, coding)
        return coded
    }

    /// Returns the file as served from a URL that names its release, with its content in that
    /// release; caches may store it forever.
    func named(_ content: [UInt8]) -> FileRepresentation {
        var named = self
        (named.made, named.isImmutable) = (content, true)
        return named
    }

    /// Returns a page with content that differs from the file's.
    func replaced(_ content: [UInt8]) -> FileRepresentation {
        var replaced = self
        (replaced.made, replaced.tag) = (content, FileRelease.tag(of: content))
        return replaced
    }

    /// Returns the representation whose content is the file's precompressed gzip copy.
    func precompressed(_ packed: OpenFile) -> FileRepresentation {
        var precompressed = FileRepresentation(packed, type)
        precompressed.coding = .gzip
        return precompressed
    }

    /// Returns the response to a request: the file, ranges of it, or 304, 412 or 416.
    ///
    /// - Parameter now: The time in seconds since 1970.
    func answer(to head: RequestHead, _ ranges: RangeRequest?, now: Int) -> Response {
        switch head.outcome(validators, accepting: head.acceptEncoding, now: now) {
        case .notModified: return Response(status: .notModified, fields: validatorFields)
        case .failed: return Response(status: .preconditionFailed)
        case .send: break
        }
        let ranges = ranges.flatMap { $0.holds(validators) ? $0 : nil }
        switch ranges?.outcome(length: byteCount) ?? .whole {
        case .whole:
            return Response(status: .ok, fields: contentFields, body: body(0..<byteCount))
        case .parts(let ranges):
            return parts(ranges)
        case .unsatisfiable:
            let fields: HTTPFields = [.contentRange: "bytes */\(byteCount)"]
            return Response(status: .rangeNotSatisfiable, fields: fields)
        }
    }

    /// Returns payloads of the file and of its `304`; `nil` if the file is large, has no tag, or
    /// has changed since it was opened.
    func payloads() -> (tag: EntityTag, whole: Payload, notModified: Payload)? {
        guard let tag, byteCount <= FileCache.contentByteLimit, let bytes = bytes() else {
            return nil
        }
        let whole = Response(status: .ok, fields: contentFields, body: .bytes(bytes))
        let notModified = Response(status: .notModified, fields: validatorFields)
        return (tag, Payload(whole), Payload(notModified))
    }

    var validators: Validators {
        Validators(tag, only: coding, dates: lastModified.map { .ordered($0) } ?? .none)
    }

    /// The time of the last change, in seconds since 1970; `nil` if the file may be changing, and
    /// for content that differs from the file's.
    private var lastModified: Int? { tag == file.tag ? file.lastModified : nil }

    /// Returns the content if it did not change while it was read; otherwise `nil`.
    func bytes() -> [UInt8]? { made ?? file.readUnchanged() }

    var byteCount: Int { made?.count ?? file.byteCount }

    var takesRanges: Bool { made == nil }
}

/// Makes the fields of the responses.
extension FileRepresentation {
    /// The fields that a 304 response repeats from the 200 response (RFC 9110 §15.4.5).
    private var validatorFields: HTTPFields {
        var fields: HTTPFields = [
            .cacheControl: isImmutable ? FileType.immutable : type.cacheControl
        ]
        fields[.eTag] = tag?.text(coding)
        fields[.lastModified] = lastModified.map {
            String(decoding: HTTPDate.format($0), as: UTF8.self)
        }
        if type.isCompressible { fields[.vary] = "Accept-Encoding" }
        return fields
    }

    /// The fields of a 200 or 206 response.
    private var contentFields: HTTPFields {
        var fields = validatorFields
        fields.append(contentsOf: FileRepresentation.commonFields)
        fields[.contentType] = type.mediaType
        if type.isDocument {
            fields[.crossOriginOpenerPolicy] = "same-origin"
            fields[.permissionsPolicy] =
                "camera=(), geolocation=(), microphone=(), payment=(), usb=()"
        }
        if coding != .identity { fields[.contentEncoding] = coding.name }
        fields[.acceptRanges] = takesRanges ? "bytes" : "none"
        return fields
    }

    /// The fields of all files.
    ///
    /// The Content-Security-Policy is sent with every file: a script may become a worker and an SVG
    /// picture a document, and each obeys the policy that came with it. The policy allows only the
    /// server's own files and responses, no inline script or style, and no frame around a page.
    private static let commonFields: HTTPFields = [
        .contentSecurityPolicy: """
        default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; \
        form-action 'self'; frame-ancestors 'none'
        """,
        .xContentTypeOptions: "nosniff",
        .referrerPolicy: "same-origin",
        .crossOriginResourcePolicy: "same-origin",
    ]
}

/// Makes the bodies of the responses.
extension FileRepresentation {
    /// Returns the body with a range of the content.
    private func body(_ range: Range<Int>) -> Response.Body {
        if let made { return .bytes(range.count == made.count ? made : Array(made[range])) }
        // Short content is copied anyway: here, on a queue that may wait for a disk, not on the
        // loop.
        if range.count <= WriteBuffer.copyByteLimit, let bytes = file.read(range) {
            return .bytes(bytes)
        }
        return .file(file, range)
    }

    /// Returns a 206 response with one range, or with several as multipart/byteranges (RFC 9110
    /// §14.6).
    private func parts(_ ranges: [Range<Int>]) -> Response {
        var fields = contentFields
        if ranges.count == 1 {
            fields[.contentRange] = contentRange(ranges[0])
            return Response(status: .partialContent, fields: fields, body: body(ranges[0]))
        }
        let boundary = FileRepresentation.boundary()
        fields[.contentType] = "multipart/byteranges; boundary=" + boundary
        var parts: [Response.Body] = []
        for range in ranges {
            let head = """
                \(parts.isEmpty ? "" : "\r\n")--\(boundary)\r
                Content-Type: \(type.mediaType)\r
                Content-Range: \(contentRange(range))\r\n\r\n
                """
            parts += [.bytes(Array(head.utf8)), body(range)]
        }
        parts.append(.bytes(Array("\r\n--\(boundary)--\r\n".utf8)))
        return Response(status: .partialContent, fields: fields, body: .parts(parts))
    }

    private func contentRange(_ range: Range<Int>) -> String {
        "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(byteCount)"
    }

    /// Returns a multipart boundary of 128 random bits, which practically no content contains.
    private static func boundary() -> String {
        String(UInt64.random(in: .min ... .max), radix: 36)
            + String(UInt64.random(in: .min ... .max), radix: 36)
    }
}

extension HTTPField.Name {
    fileprivate static let referrerPolicy = known("Referrer-Policy")
    fileprivate static let crossOriginOpenerPolicy = known("Cross-Origin-Opener-Policy")
    fileprivate static let permissionsPolicy = known("Permissions-Policy")

    private static func known(_ name: String) -> HTTPField.Name {
        guard let name = HTTPField.Name(name) else {
            preconditionFailure("\(name) is no field's name")
        }
        return name
    }
}
