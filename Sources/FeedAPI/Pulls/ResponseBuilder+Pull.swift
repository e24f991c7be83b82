import HTTPServer
import HTTPTypes
import HTTPWire

/// Answers to pulls. Their heads are put together from lines that are the same for all.
extension ResponseBuilder {
    /// `200` with documents.
    ///
    /// - Parameters:
    ///   - tag: The tag of the pull.
    ///   - coding: How the content is coded.
    ///   - mark: The mark for clients that were ready to wait.
    ///   - content: Coded; `nil`: its length is not said.
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

    /// `304` in the place of a pull.
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

    /// The most bytes of a head that are written for each answer.
    fileprivate static var restByteLimit: Int {
        EntityTag.byteLimit + contentLength.utf8CodeUnitCount + preferenceApplied.utf8CodeUnitCount
            + 2 * (OutputSpan<UInt8>.decimalByteLimit + 2)
    }

    /// Writes a head.
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
    /// Adds a field line whose value is a number from 0.
    ///
    /// - Parameter start: The bytes in front of it.
    fileprivate mutating func append(_ start: StaticString, _ number: Int) {
        append(start)
        append(decimal: number)
        append("\r\n")
    }
}

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
