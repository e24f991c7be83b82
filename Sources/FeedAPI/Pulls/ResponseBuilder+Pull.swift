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
        _ tag: Tag,
        _ coding: ContentCoding,
        _ mark: WaitPreference.Mark?
    ) -> CachedResponse {
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
        _ tag: Tag,
        endingIn tagEnds: PullLines.TagEnds,
        _ coding: ContentCoding,
        _ mark: WaitPreference.Mark?,
        _ content: [UInt8]?
    ) -> CachedResponse {
        let (tagEnd, lengthName) = (tagEnds[coding], pullLines.contentLength)
        let preference = mark?.preferred.map { Array("Preference-Applied: wait=\($0)\r\n".utf8) }
        return CachedResponse(
            status: status,
            headByteLimit: start.count + Tag.byteLimit + tagEnd.count + lengthName.count
                + OutputSpan<UInt8>.decimalByteLimit + 2 + (preference?.count ?? 0),
            coding: coding,
            openField: ResponseBuilder.refreshAfter,
            body: content ?? []
        ) { head in
            head.append(bytesOf: start)
            tag.withBytes { $0.withUnsafeBufferPointer { head.append(copying: $0) } }
            head.append(bytesOf: tagEnd)
            if let preference { head.append(bytesOf: preference) }
            guard let content else { return }
            head.append(bytesOf: lengthName)
            head.append(decimal: content.count)
            head.append(UInt8(ascii: "\r"))
            head.append(UInt8(ascii: "\n"))
        }
    }
}
