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
