import HTTPServer
import HTTPTypes
import HTTPWire

/// Makes the responses to pulls; their heads are copied from prepared lines.
extension ResponseBuilder {
    /// Returns the `200` of a pull.
    ///
    /// - Parameters:
    ///   - tag: The tag of the pull.
    ///   - coding: The coding of the content.
    ///   - mark: The mark for clients that were ready to wait.
    ///   - content: The content in its coding; `nil`: the head has no Content-Length.
    func pull(
        _ tag: EntityTag,
        _ coding: ContentCoding,
        _ mark: WaitPreference.Mark?,
        _ content: [UInt8]?
    ) -> Payload {
        pull(
            .ok,
            startingWith: mark == nil ? pullLines.ok : pullLines.okAfterWait,
            tag,
            endingIn: pullLines.okTagEnds,
            coding,
            mark,
            content
        )
    }

    /// Returns the `304` of a pull.
    func notModified(
        _ tag: EntityTag,
        _ coding: ContentCoding,
        _ mark: WaitPreference.Mark?
    ) -> Payload {
        pull(
            .notModified,
            startingWith: mark == nil ? pullLines.notModified : pullLines.notModifiedAfterWait,
            tag,
            endingIn: pullLines.notModifiedTagEnds,
            coding,
            mark,
            nil
        )
    }

    private func pull(
        _ status: HTTPResponse.Status,
        startingWith start: [UInt8],
        _ tag: EntityTag,
        endingIn tagEnds: PullLines.TagEnds,
        _ coding: ContentCoding,
        _ mark: WaitPreference.Mark?,
        _ content: [UInt8]?
    ) -> Payload {
        let tagEnd = tagEnds[coding]
        return Payload(
            status: status,
            headByteLimit: start.count + tagEnd.count + PullLines.restByteLimit,
            coding: coding,
            openField: ResponseBuilder.refreshAfter,
            body: content ?? []
        ) { head in
            pullLines.write(start, tag, tagEnd, mark, content?.count, to: &head)
        }
    }
}

extension PullLines {
    private static var contentLength: StaticString { "Content-Length: " }
    private static var preferenceApplied: StaticString { "Preference-Applied: wait=" }

    /// The most bytes that a head adds to the prepared lines.
    fileprivate static var restByteLimit: Int {
        EntityTag.byteLimit + contentLength.utf8CodeUnitCount + preferenceApplied.utf8CodeUnitCount
            + 2 * (OutputSpan<UInt8>.decimalByteLimit + 2)
    }

    /// Returns a head.
    fileprivate func write(
        _ start: [UInt8],
        _ tag: EntityTag,
        _ tagEnd: [UInt8],
        _ mark: WaitPreference.Mark?,
        _ byteCount: Int?,
        to head: inout OutputSpan<UInt8>
    ) {
        head.append(bytesOf: start)
        tag.withBytes { $0.withUnsafeBufferPointer { head.append(copying: $0) } }
        head.append(bytesOf: tagEnd)
        if let seconds = mark?.preferred { head.append(PullLines.preferenceApplied, seconds) }
        if let byteCount { head.append(PullLines.contentLength, byteCount) }
    }
}

extension OutputSpan<UInt8> {
    /// Appends a field line whose value is a number, at least 0.
    ///
    /// - Parameter start: The field's name, colon and space.
    fileprivate mutating func append(_ start: StaticString, _ number: Int) {
        append(start)
        append(decimal: number)
        append("\r\n")
    }
}

/// The prepared lines of the heads of pulls.
struct PullLines: Sendable {
    /// The beginning of a `200` head up to the tag, and the same for a client that was ready to
    /// wait.
    let ok, okAfterWait: [UInt8]
    /// The beginning of a `304` head up to the tag, and the same for a client that was ready to
    /// wait.
    let notModified, notModifiedAfterWait: [UInt8]

    /// The lines behind the tag of a `200` and of a `304`, by coding.
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
    /// The rest of the tag's line and the lines behind it, for each coding.
    struct TagEnds: Sendable {
        private let identity, gzip: [UInt8]

        /// - Parameter lines: Returns the lines behind the tag's line.
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
