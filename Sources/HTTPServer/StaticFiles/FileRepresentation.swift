import HTTPTypes
import HTTPWire

/// A file in one content coding, ready to be sent: fields, validators and content.
struct FileRepresentation {
    /// The source of the content.
    enum Content {
        case file(OpenFile)
        /// Bytes that were made just now. Ranges are not served from them: another server or
        /// version of zlib may make other bytes of the same file.
        case made([UInt8])
    }

    /// The requested file, or its precompressed copy.
    let file: OpenFile
    let content: Content
    let coding: ContentCoding
    let name: String
    let type: FileType
    /// The tag of the content without a coding.
    private var tag: EntityTag?
    /// Whether the URL names this very content, so that a cache may use it forever.
    private var isImmutable = false

    /// Makes the representation of a file without a coding.
    init(_ file: OpenFile, name: String) {
        self.init(file, .file(file), .identity, name: name, FileType(name: name))
    }

    private init(
        _ file: OpenFile,
        _ content: Content,
        _ coding: ContentCoding,
        name: String,
        _ type: FileType
    ) {
        self.file = file
        self.content = content
        self.coding = coding
        self.name = name
        self.type = type
        tag = file.tag
    }

    /// Returns the same file with a content that was compressed just now.
    func coded(_ bytes: [UInt8], as coding: ContentCoding) -> FileRepresentation {
        var coded = FileRepresentation(file, .made(bytes), coding, name: name, type)
        coded.tag = tag
        coded.isImmutable = isImmutable
        return coded
    }

    /// Returns the file as served from a URL that names its release; caches may keep it forever.
    ///
    /// - Parameter content: The file's content in that release.
    func named(_ content: [UInt8]) -> FileRepresentation {
        var named = coded(content, as: .identity)
        named.isImmutable = true
        return named
    }

    /// Returns a page with content that differs from the file's.
    func replaced(_ content: [UInt8]) -> FileRepresentation {
        var replaced = coded(content, as: .identity)
        replaced.tag = FileRelease.tag(of: content)
        return replaced
    }

    /// Returns the same file with its precompressed gzip copy as the content.
    func precompressed(_ packed: OpenFile) -> FileRepresentation {
        FileRepresentation(packed, .file(packed), .gzip, name: name, type)
    }

    /// Returns the response to a request: the file, ranges of it, or 304, 412 or 416.
    ///
    /// - Parameters:
    ///   - head: The request.
    ///   - ranges: The ranges that the request asks for.
    ///   - now: The time in seconds since 1970.
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
    func cached() -> (tag: EntityTag, whole: Payload, notModified: Payload)? {
        guard let tag, byteCount <= FileResponses.contentByteLimit, let bytes = bytes() else {
            return nil
        }
        let whole = Response(status: .ok, fields: contentFields, body: .bytes(bytes))
        let notModified = Response(status: .notModified, fields: validatorFields)
        return (tag, Payload(whole), Payload(notModified))
    }

    var validators: Validators {
        Validators(tag, only: coding, dates: lastModified.map { .ordered($0) } ?? .none)
    }

    /// The time of the last change; `nil` also for content with a tag other than the file's.
    private var lastModified: Int? { tag == file.tag ? file.lastModified : nil }

    /// Returns the content if it did not change while it was read; otherwise `nil`.
    func bytes() -> [UInt8]? {
        switch content {
        case .file(let file): file.readUnchanged()
        case .made(let bytes): bytes
        }
    }

    var byteCount: Int {
        switch content {
        case .file(let file): file.byteCount
        case .made(let bytes): bytes.count
        }
    }

    var takesRanges: Bool {
        if case .file = content { true } else { false }
    }
}

/// Fields.
extension FileRepresentation {
    /// The fields that a 304 response repeats from the 200 response (RFC 9110 §15.4.5).
    private var validatorFields: HTTPFields {
        var fields: HTTPFields = [
            .cacheControl: isImmutable
                ? FileFields.immutable : FileFields.cacheControl(name: name, type)
        ]
        fields[.eTag] = tag?.text(coding)
        fields[.lastModified] = lastModified.map {
            String(decoding: HTTPDate.format($0), as: UTF8.self)
        }
        if type.isCompressible { fields[.vary] = "Accept-Encoding" }
        return fields
    }

    private var contentFields: HTTPFields {
        var fields = validatorFields
        fields.append(contentsOf: FileFields.content(name: name, type))
        if coding != .identity { fields[.contentEncoding] = coding.name }
        fields[.acceptRanges] = takesRanges ? "bytes" : "none"
        return fields
    }
}

/// Content.
extension FileRepresentation {
    private func body(_ range: Range<Int>) -> Response.Body {
        switch content {
        case .made(let bytes):
            return .bytes(range.count == bytes.count ? bytes : Array(bytes[range]))
        case .file(let file):
            // Short content is copied anyway: here, on a queue that may wait for a disk, not on the
            // loop.
            if range.count <= WriteBuffer.copyByteLimit, let bytes = file.read(range) {
                return .bytes(bytes)
            }
            return .file(file, range)
        }
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
