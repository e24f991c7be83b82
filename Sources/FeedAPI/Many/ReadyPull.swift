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

    /// Finds it where it stands in a request.
    ///
    /// - Returns: `nil` when a feed is not there, or what is asked for is wrong.
    init?(_ request: borrowing RoutedRequest, _ api: FeedAPI) {
        guard let presentation = try? Presentation(request.query) else { return nil }
        self.init(api, request.caller, presentation)
        let query = request.query
        var isReady = true
        query.forEach(.feed) { part in
            if isReady { isReady = query.withText(part) { add($0) } }
        }
        guard isReady, !parts.isEmpty else { return nil }
    }

    /// Finds it for one who has waited.
    ///
    /// - Returns: `nil` when a feed is not there.
    init?(_ selection: FeedSelection, _ caller: Access.Caller, _ api: FeedAPI) {
        self.init(api, caller, selection.presentation)
        for entry in selection.entries {
            guard add(entry.name.utf8.span, since: entry.since) else { return nil }
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
        let query = FeedQuery(since: since, presentation)
        // Without a look for the old version: what is kept already is right without it.
        let kind = DocumentChoice.kind(query, now: version.token)
        tagText.add(name, responses.tag.bytes)
        hint = min(hint, responses.hint(at: now) { api.builder.polling.hint(version) })
        parts.append(Part(version: version, responses: responses, kind: kind))
        return true
    }
}

/// The answer.
extension ReadyPull {
    /// Whether a feed has another version than the one who asks.
    var isNews: Bool { parts.contains { $0.kind != .unchanged } }

    /// What is answered where the documents are there.
    ///
    /// - Parameters:
    ///   - wish: How the answer should be coded.
    ///   - origin: Who asks.
    ///   - mark: What it says to those who were ready to wait.
    ///   - outcome: What comes of the conditions for a tag.
    /// - Returns: `nil` where a document has to be made, much is to be sent, or a condition fails.
    func answer(
        _ wish: CodingChoice,
        _ origin: RequestOrigin,
        _ mark: WaitPreference.Mark? = nil,
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
        for part in parts {
            let key = ResponseKey(kind: part.kind, view: presentation.view, form: form)
            guard let document = part.responses[key] else { return nil }
            body.add(part.version.feed.rawValue, document)
            if body.documentByteCount >= limit { return nil }
        }
        return body
    }
}
