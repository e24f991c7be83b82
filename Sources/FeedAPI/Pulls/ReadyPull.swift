import FeedModel
import FeedStore
import HTTPServer
import HTTPTypes
import HTTPWire

/// A pull whose feeds are all there and whose documents are all kept: its answer is put together from
/// them, and nothing else of the feeds is looked at.
struct ReadyPull {
    /// One of the feeds.
    private struct Part {
        let version: Version
        let responses: VersionResponses
        let kind: ResponseKey.Kind
    }

    private let api: FeedAPI
    private let caller: Access.Caller
    private let presentation: Presentation
    private var parts: [Part] = []
    private let now: Int
    private var tagText = PullTag(feedCount: 2)
    private var hint = Int.max

    private init(_ api: FeedAPI, _ caller: Access.Caller, _ presentation: Presentation) {
        self.api = api
        self.caller = caller
        self.presentation = presentation
        now = api.store.seconds
        parts.reserveCapacity(4)
    }

    /// The answer to a request, whose names and tokens are read where they stand.
    ///
    /// - Returns: `nil` where a feed is not there or a document has to be made, much is to be sent, a
    ///   condition fails, or what is asked for is wrong.
    static func answer(_ request: borrowing RoutedRequest, _ api: FeedAPI) -> FinalResponse? {
        guard let presentation = try? Presentation(request.query) else { return nil }
        var pull = ReadyPull(api, request.caller, presentation)
        var isReady = true
        request.query.withEach(.feed) { text in
            if isReady { isReady = pull.add(text) }
        }
        guard isReady, !pull.parts.isEmpty else { return nil }
        return pull.answer(request.head.codingChoice, request.origin, nil) {
            request.head.readOutcome($0)
        }
    }

    /// The answer for one who has waited, if there is news.
    ///
    /// - Returns: `nil` where there is none, and as for a request.
    static func answer(_ read: borrowing PullRead, _ api: FeedAPI) -> FinalResponse? {
        var pull = ReadyPull(api, read.caller, read.selection.presentation)
        for entry in read.selection.entries {
            guard pull.add(entry.name.utf8.span, since: entry.since) else { return nil }
        }
        guard pull.parts.contains(where: { $0.kind != .unchanged }) else { return nil }
        let parts = read.parts
        return pull.answer(parts.coding, parts.origin, read.poll?.mark) {
            let outcome = parts.condition.outcome($0)
            return if case .send = outcome { outcome } else { .failed(.match) }
        }
    }

    /// Adds what a parameter names: a feed, and perhaps a version of it.
    private mutating func add(_ text: Span<UInt8>) -> Bool {
        guard let end = text.firstIndex(of: UInt8(ascii: "@"), in: text.indices) else {
            return add(text, since: nil)
        }
        guard let since = Token(lenient: text.extracting((end + 1)...)) else { return false }
        return add(text.extracting(..<end), since: since)
    }

    private mutating func add(_ name: Span<UInt8>, since: Token?) -> Bool {
        guard parts.count < FeedSelection.limit, let version = api.store.current(named: name),
            api.access.mayRead(name, caller), !parts.contains(where: { $0.version === version })
        else { return false }
        let responses = api.cache.responses(for: version)
        // Without a look for the old version: what is kept already is right without it.
        let kind = DocumentChoice.kind(since: since, presentation, now: version.token)
        tagText.add(name, responses.tag)
        hint = min(hint, responses.hint(at: now) { api.builder.polling.hint(version) })
        parts.append(Part(version: version, responses: responses, kind: kind))
        return true
    }
}

/// The answer.
extension ReadyPull {
    /// What is answered where the documents are there.
    ///
    /// - Parameters:
    ///   - wish: How the answer should be coded.
    ///   - origin: Who asks.
    ///   - mark: What it says to those who were ready to wait.
    ///   - outcome: What comes of the conditions for a tag.
    /// - Returns: `nil` where a document has to be made, much is to be sent, or a condition fails.
    private func answer(
        _ wish: CodingChoice,
        _ origin: RequestOrigin,
        _ mark: WaitPreference.Mark?,
        _ outcome: (Tag) -> ReadCondition.Outcome
    ) -> FinalResponse? {
        let tag = tagText.tag(presentation.view)
        let outcome = outcome(tag)
        if case .failed = outcome { return nil }
        let completion = CachedResponse.Completion(
            lines: api.builder.cors.lines(for: origin),
            number: hint
        )
        if case .notModified(let match) = outcome {
            guard
                let coding = match.coding(for: wish)
                    ?? content(wish).map({ match.coding(asSent: $1) })
            else { return nil }
            return .cached(api.builder.notModified(tag, coding, mark), completion)
        }
        guard let (content, coding) = content(wish) else { return nil }
        return .cached(api.builder.pull(tag, coding, mark, content), completion)
    }

    /// What is sent, and in which coding.
    private func content(_ wish: CodingChoice) -> ([UInt8], ContentCoding)? {
        let isPlain = wish.coding == .identity
        if !isPlain, let body = body(.gzipPart, below: FeedAPI.copiedPullByteCount),
            wish.isForced || !body.isShort
        {
            return (body.bytes(wish.coding), wish.coding)
        }
        guard isPlain || !wish.isForced,
            let body = body(
                .response,
                below: isPlain ? FeedAPI.copiedPullByteCount : ResponseBuilder.codedMinimum
            )
        else { return nil }
        let content = body.bytes(.identity)
        return isPlain || content.count < ResponseBuilder.codedMinimum ? (content, .identity) : nil
    }

    /// All documents in a form, if they are there and have fewer bytes than a limit.
    private func body(_ form: ResponseKey.Form, below limit: Int) -> PullBody? {
        var body = PullBody(feedCount: parts.count)
        for index in parts.indices {
            let key = ResponseKey(kind: parts[index].kind, view: presentation.view, form: form)
            guard let document = parts[index].responses[key] else { return nil }
            body.add(parts[index].version.feed.rawValue, document)
            if body.documentByteCount >= limit { return nil }
        }
        return body
    }
}
