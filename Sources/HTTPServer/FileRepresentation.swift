import HTTPTypes
import HTTPWire

/// A file as it is sent: its type, its validators, and its content or that it has not changed.
struct FileRepresentation {
    private let file: OpenFile
    private let name: String

    init(_ file: OpenFile, name: String) {
        self.file = file
        self.name = name
    }

    /// The file, 304, or 412 without content.
    func answer(to request: RequestHead) -> Response {
        guard isAsExpected(by: request) else { return Response(status: .preconditionFailed) }
        if isCurrent(for: request) {
            return Response(status: .notModified, fields: validators)
        }
        var fields = validators
        fields[.contentType] = FileRepresentation.mediaType(of: name)
        fields[.xContentTypeOptions] = "nosniff"
        fields[.contentSecurityPolicy] = FileRepresentation.contentSecurityPolicy
        fields[.acceptRanges] = "none"
        return Response(status: .ok, fields: fields, body: .file(file, 0..<file.byteCount))
    }

    /// A strong tag: a file that is written again has another time, to the nanosecond.
    private var entityTag: EntityTag {
        let time = file.modified &* 1_000_000_000 &+ file.modifiedNanoseconds
        return EntityTag(String(time, radix: 36) + "-" + String(file.byteCount, radix: 36))
    }

    private var validators: HTTPFields {
        [
            .eTag: entityTag.description,
            .lastModified: String(decoding: HTTPDate.format(file.modified), as: UTF8.self),
            .cacheControl: "no-cache",
        ]
    }

    /// RFC 9110 §13.2.2, steps 1 and 2: the date counts only where there is no tag.
    private func isAsExpected(by request: RequestHead) -> Bool {
        if let value = request.value(.ifMatch) {
            return EntityTagCondition(value)?.strongMatch(for: entityTag) != nil
        }
        guard let date = date(request.value(.ifUnmodifiedSince)) else { return true }
        return file.modified <= date
    }

    /// Steps 3 and 4: the same of the other two fields.
    private func isCurrent(for request: RequestHead) -> Bool {
        if let value = request.value(.ifNoneMatch) {
            return EntityTagCondition(value)?.weakMatch(for: entityTag) != nil
        }
        guard let date = date(request.value(.ifModifiedSince)) else { return false }
        return file.modified <= date
    }

    /// `nil` for what is no date, which counts as absent.
    private func date(_ value: String?) -> Int? {
        value.flatMap { HTTPDate.parse($0, now: System.wallSeconds()) }
    }

    /// Nothing but the page's own files; no script or style inside the page.
    private static let contentSecurityPolicy =
        "default-src 'self'; img-src 'self' https: data:; base-uri 'none'; frame-ancestors 'none'"

    private static func mediaType(of name: String) -> String {
        let ending = name.split(separator: ".").last.map { $0.lowercased() } ?? ""
        return mediaTypes[ending] ?? "application/octet-stream"
    }

    private static let mediaTypes = [
        "css": "text/css; charset=utf-8",
        "gif": "image/gif",
        "html": "text/html; charset=utf-8",
        "ico": "image/x-icon",
        "jpeg": "image/jpeg",
        "jpg": "image/jpeg",
        "js": "text/javascript; charset=utf-8",
        "json": "application/json",
        "mjs": "text/javascript; charset=utf-8",
        "png": "image/png",
        "svg": "image/svg+xml",
        "txt": "text/plain; charset=utf-8",
        "webmanifest": "application/manifest+json",
        "webp": "image/webp",
        "woff2": "font/woff2",
        "xml": "application/xml",
    ]
}
