import FeedModel
import FeedStore
import HTTPServer
import HTTPTypes
import HTTPWire

/// A pull whose feeds are all there and whose documents are all kept: its answer is put together
/// from them, and nothing else of the feeds is looked at.
struct ReadyPull: ~Copyable {
    /// One of the feeds.
    private struct Part {
        let responses: VersionResponses
        /// The code of its document as a response; 0 where the feed is not shown whole.
        let code: UInt64
    }

    private let api: FeedAPI
    private let caller: Access.Caller
    private let presentation: Presentation
    /// How the answer should be coded.
    private let wish: CodingChoice
    private var parts: [Part] = []
    /// Which documents they are, where the feeds are not shown whole.
    private var kinds: [ResponseKey.Kind] = []
    /// The content without a coding, as far as the feeds were added; `nil` once a document is not
    /// kept so, or it is so long that it is to be coded.
    private var draft: CachedResponse.Draft?
    private let now: Int
    private var tag = PullTag()
    private var hint = Int.max
    /// Whether one of them has more to say than that there is nothing new.
    private var hasNews = false

    private init(
        _ api: FeedAPI,
        _ caller: Access.Caller,
        _ presentation: consuming Presentation,
        _ wish: CodingChoice
    ) {
        self.api = api
        self.caller = caller
        self.presentation = presentation
        self.wish = wish
        now = api.store.seconds
        parts.reserveCapacity(4)
        draft = wish.isForced && wish.coding != .identity ? nil : api.builder.pullDraft()
    }

    /// The answer to a request, whose names and tokens are read where they stand.
    ///
    /// - Returns: `nil` where a feed is not there or a document has to be made, much is to be sent,
    ///   a condition fails, or what is asked for is wrong.
    static func answer(_ request: borrowing RoutedRequest, _ api: FeedAPI) -> FinalResponse? {
        guard let presentation = try? Presentation(request.query) else { return nil }
        var pull = ReadyPull(api, request.caller, presentation, request.head.codingChoice)
        var isReady = true
        request.query.withEach(.feed) { text in
            if isReady { isReady = pull.add(text) }
        }
        guard isReady, !pull.parts.isEmpty else { return nil }
        return pull.answer(request.requester, nil) {
            request.head.readOutcome($0)
        }
    }

    /// The answer for one who has waited, if there is news.
    ///
    /// - Returns: `nil` where there is none, and as for a request.
    static func answer(_ read: borrowing PullRead, _ api: FeedAPI) -> FinalResponse? {
        var pull = ReadyPull(
            api,
            read.caller,
            read.selection.presentation,
            read.parts.coding
        )
        for entry in read.selection.entries {
            guard pull.add(entry.name.utf8.span, since: entry.since) else { return nil }
        }
        guard pull.hasNews else { return nil }
        let parts = read.parts
        return pull.answer(parts.requester, read.wait?.mark) {
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
            api.access.mayRead(name, caller)
        else { return false }
        let responses = api.cache.responses(for: version)
        guard !parts.contains(where: { $0.responses === responses }) else { return false }
        // Without a look for the old version: what is kept already is right without it.
        let kind = DocumentChoice.kind(since: since, presentation, now: version.token)
        if kind != .unchanged { hasNews = true }
        var code: UInt64 = 0
        if presentation.view.isWhole {
            guard let known = kind.code(.response) else { return false }
            code = known
        } else {
            kinds.append(kind)
        }
        parts.append(Part(responses: responses, code: code))
        tag.add(name, responses.tag)
        hint = min(hint, responses.hint(at: now) { api.builder.polling.hint(version) })
        if draft != nil { addToDraft(name) }
        return true
    }

    /// Adds the last feed's document as it is, if it is kept and there is room for it.
    private mutating func addToDraft(_ name: Span<UInt8>) {
        let isFirst = parts.count == 1
        guard let document = document(parts.count - 1, .response),
            draft?.add(name, document, isFirst: isFirst) == true
        else {
            draft = nil
            return
        }
    }
}

/// The answer.
extension ReadyPull {
    /// What is answered where the documents are there.
    ///
    /// - Parameters:
    ///   - requester: Who asks.
    ///   - mark: What it says to those who were ready to wait.
    ///   - outcome: What comes of the conditions for a tag.
    /// - Returns: `nil` where a document has to be made, much is to be sent, or a condition fails.
    private mutating func answer(
        _ requester: Requester,
        _ mark: WaitPreference.Mark?,
        _ outcome: (Tag) -> ReadCondition.Outcome
    ) -> FinalResponse? {
        let tag = tag.tag(presentation.view)
        let outcome = outcome(tag)
        if case .failed = outcome { return nil }
        let builder = api.builder
        let completion = CachedResponse.Completion(
            lines: builder.cors.lines(for: requester),
            number: hint
        )
        if case .notModified(let match) = outcome, let coding = match.coding(for: wish) {
            return .cached(builder.notModified(tag, coding, mark), completion)
        }
        if draft?.end() == true, let draft = draft.take() {
            if case .notModified(let match) = outcome {
                let coding = match.coding(asSent: .identity)
                return .cached(builder.notModified(tag, coding, mark), completion)
            }
            return .cached(builder.pull(tag, mark, draft), completion)
        }
        guard let content = longContent() else { return nil }
        if case .notModified(let match) = outcome {
            let coding = match.coding(asSent: wish.coding)
            return .cached(builder.notModified(tag, coding, mark), completion)
        }
        return .cached(builder.pull(tag, wish.coding, mark, content), completion)
    }

    /// What is sent where it is not short, or is to be coded in any case.
    private func longContent() -> [UInt8]? {
        let isCoded = wish.coding != .identity
        guard let documents = documents(isCoded ? .gzipPart : .response) else { return nil }
        let contentByteCount = documents.reduce(0) { $0 + $1.contentByteCount }
        let byteCount = documents.reduce(0) { $0 + $1.bodyByteCount }
        guard !isCoded || wish.isForced || contentByteCount >= ResponseBuilder.codedMinimum,
            byteCount < FeedAPI.copiedPullByteCount
        else { return nil }
        var writer = PullWriter(
            wish.coding,
            documentByteCount: byteCount,
            feedCount: parts.count
        )
        for (part, document) in zip(parts, documents) {
            writer.add(part.responses.feed.rawValue.utf8.span, document)
        }
        return writer.finish()
    }

    /// All documents; `nil` where one is not kept so.
    private func documents(_ form: ResponseKey.Form) -> [CachedResponse]? {
        var documents: [CachedResponse] = []
        documents.reserveCapacity(parts.count)
        for index in parts.indices {
            guard let document = document(index, form) else { return nil }
            documents.append(document)
        }
        return documents
    }

    private func document(_ index: Int, _ form: ResponseKey.Form) -> CachedResponse? {
        guard !presentation.view.isWhole else {
            return parts[index].responses[code: ResponseKey.code(parts[index].code, as: form)]
        }
        return parts[index].responses.response(kinds[index], presentation.view, form)
    }
}
