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
        var head = head(mark == nil ? pullLines.ok : pullLines.okAfterWait, tag, coding, mark)
        switch coding {
        case .identity: break
        case .gzip: head.append(bytesOf: pullLines.gzip)
        case .deflate: head.append(bytesOf: pullLines.deflate)
        }
        if let content {
            head.append(bytesOf: pullLines.contentLength)
            head.append(decimal: content.count)
            head.append(bytesOf: pullLines.lineEnd)
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
            head: head(
                mark == nil ? pullLines.notModified : pullLines.notModifiedAfterWait,
                tag,
                coding,
                mark
            ),
            coding: coding,
            openField: ResponseBuilder.refreshAfter,
            body: []
        )
    }

    private func head(
        _ start: [UInt8],
        _ tag: Tag,
        _ coding: ContentCoding,
        _ mark: WaitPreference.Mark?
    ) -> [UInt8] {
        var head: [UInt8] = []
        head.reserveCapacity(start.count + 200)
        head.append(bytesOf: start)
        tag.append(to: &head)
        switch coding {
        case .identity: head.append(bytesOf: pullLines.tagEnd)
        case .gzip: head.append(bytesOf: pullLines.gzipTagEnd)
        case .deflate: head.append(bytesOf: pullLines.deflateTagEnd)
        }
        if let seconds = mark?.preferred { head += "Preference-Applied: wait=\(seconds)\r\n".utf8 }
        return head
    }
}
