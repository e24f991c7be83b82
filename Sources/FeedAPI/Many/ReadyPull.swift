import FeedModel
import FeedStore
import HTTPServer
import HTTPTypes
import HTTPWire

/// A pull whose documents are all there, read where it stands in the request: no name and no token
/// becomes a string, and the answer is put together of what others were sent.
struct ReadyPull {
    private struct Part {
        let responses: VersionResponses
        let kind: ResponseKey.Kind
    }

    private var parts: [Part] = []
    private let view: FeedView
    private let tag: Tag
    /// When it is worth asking again.
    private let hint: Int

    /// More than that is not copied (``FeedAPI/respond(_:_:)``).
    static let byteLimit = 64 << 10

    /// - Returns: `nil` for one that is not so simple: a feed that is missing or there twice, or a
    ///   token that is none.
    /// - Throws: `400` for a parameter that is malformed or repeated.
    init?(_ request: borrowing RoutedRequest, _ api: FeedAPI) throws(Problem) {
        let query = request.query
        let presentation = try Presentation(query)
        view = presentation.view
        var hash = PullHash()
        var (parts, hint, isSimple) = ([] as [Part], Int.max, true)
        let now = api.store.seconds
        query.forEach(.feed) { place in
            guard isSimple else { return }
            isSimple = query.withText(place) { text in
                let mark = text.firstIndex(of: UInt8(ascii: "@"), in: text.indices)
                let name = text.extracting(0..<(mark ?? text.count))
                var read = FeedQuery(since: nil, presentation)
                if let mark {
                    read.since = Token(lenient: text.extracting((mark + 1)...))
                    guard read.since != nil else { return false }
                }
                guard parts.count < FeedSelection.limit,
                    let version = api.store.current(named: name),
                    api.access.mayRead(name, request.caller)
                else { return false }
                let responses = api.cache.responses(for: version)
                guard !parts.contains(where: { $0.responses === responses }) else { return false }
                let token = responses.tag.bytes
                hash.add(name, token.span)
                hint = min(hint, responses.hint(at: now) { api.builder.polling.hint(version) })
                let kind = DocumentChoice.kind(read, now: version.token)
                parts.append(Part(responses: responses, kind: kind))
                return true
            }
        }
        guard isSimple, !parts.isEmpty else { return nil }
        self.parts = parts
        self.hint = hint
        tag = hash.tag(view)
    }

    /// - Returns: `nil` where that takes more than is here.
    func answer(_ request: borrowing RoutedRequest, _ builder: ResponseBuilder) -> FinalResponse? {
        let choice = request.head.codingChoice
        guard let heads = builder.pullHeads(choice.coding) else { return nil }
        let completion = CachedResponse.Completion(
            lines: builder.cors.lines(for: request.origin),
            number: hint
        )
        switch request.head.readOutcome(tag) {
        case .failed: return nil
        case .notModified(let match):
            guard match.coding(for: choice) == choice.coding else { return nil }
            let fields = tag.field(choice.coding)
            let response = CachedResponse(heads.notModified, adding: fields, body: nil)
            return .cached(response, completion)
        case .send:
            guard let body = body(choice.coding) else { return nil }
            let fields = tag.field(choice.coding)
            let response = CachedResponse(heads.whole, adding: fields, body: body)
            return .cached(response, completion)
        }
    }
}

/// The document.
extension ReadyPull {
    /// - Returns: `nil` when one of the feeds' documents is not there, or all are long together.
    private func body(_ coding: ContentCoding) -> [UInt8]? {
        let form: ResponseKey.Form = coding == .identity ? .response : .gzipPart
        var documents: [CachedDocument] = []
        documents.reserveCapacity(parts.count)
        var count = 64
        for part in parts {
            let key = ResponseKey(kind: part.kind, view: view, form: form)
            guard let document = part.responses[key] else { return nil }
            documents.append(document)
            count += document.response.body.count + part.responses.feed.rawValue.utf8.count + 16
        }
        guard count <= ReadyPull.byteLimit else { return nil }
        var output: [UInt8] = []
        output.reserveCapacity(count)
        if coding == .identity {
            write(documents, to: &output)
        } else {
            compose(documents, into: &output)
        }
        return output
    }

    private func write(_ documents: [CachedDocument], to output: inout [UInt8]) {
        for (index, document) in documents.enumerated() {
            appendStart(index, to: &output)
            output += document.response.body
        }
        output += Pull.end
    }

    private func compose(_ documents: [CachedDocument], into output: inout [UInt8]) {
        var frame = GzipFrame()
        output += frame.header
        var start: [UInt8] = []
        for (index, document) in documents.enumerated() {
            start.removeAll(keepingCapacity: true)
            appendStart(index, to: &start)
            frame.store(start.span, into: &output)
            output += document.response.body
            if let part = document.part { frame.add(part) }
        }
        let end = Pull.end
        frame.store(end.span, into: &output)
        output += frame.trailer
    }

    /// What stands before the document of a feed; in the name of one that is there nothing needs
    /// an escape.
    private func appendStart(_ index: Int, to output: inout [UInt8]) {
        output += index == 0 ? Pull.start : Pull.separator
        output.append(UInt8(ascii: "\""))
        output += parts[index].responses.feed.rawValue.utf8
        output.append(UInt8(ascii: "\""))
        output.append(UInt8(ascii: ":"))
    }
}

extension Tag {
    /// The line of ETag.
    fileprivate func field(_ coding: ContentCoding) -> [UInt8] {
        var line: [UInt8] = []
        line.reserveCapacity(bytes.count + 20)
        line += Tag.fieldStart
        line += bytes
        line += coding.tagSuffix.utf8
        line += Tag.fieldEnd
        return line
    }

    private static let fieldStart = Array("ETag: \"".utf8)
    private static let fieldEnd = Array("\"\r\n".utf8)
}
