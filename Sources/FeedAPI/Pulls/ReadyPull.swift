import FeedModel
import FeedStore
import HTTPServer
import HTTPTypes
import HTTPWire

/// A pull whose feeds are all there and whose documents are all kept: its answer is put together
/// from them, and nothing else of the feeds is looked at.
struct ReadyPull: ~Copyable {
    /// A feed of the pull.
    private struct Part {
        let version: Version
        let token: Token
        /// The kind of its document.
        let kind: ResponseKey.Kind
        var responses: VersionResponses?
        /// The code of its document as a response; 0 where the feed is not shown whole.
        var code: UInt64 = 0
        /// Its document, in the form that is sent.
        var document: Payload?
    }

    private let api: FeedAPI
    private let caller: Access.Caller
    private let presentation: Presentation
    /// How the answer should be coded.
    private let wish: CodingChoice
    private var parts: [Part] = []
    private let now: Int
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
    }

    /// The answer to a request, whose names and tokens are read where they stand.
    ///
    /// - Returns: `nil` where a feed is not there or a document has to be made, much is to be sent,
    ///   a condition fails, or what is asked for is wrong.
    static func answer(_ request: borrowing RoutedRequest, _ api: FeedAPI) -> Response? {
        guard request.names == nil, let presentation = try? Presentation(request.query) else {
            return nil
        }
        var pull = ReadyPull(api, request.caller, presentation, request.head.codingChoice)
        var isReady = true
        request.query.withEach(.feed) { text in
            if isReady { isReady = pull.add(text) }
        }
        guard isReady, !pull.parts.isEmpty else { return nil }
        return pull.answer(request.requester, nil) {
            request.head.outcome(Validators($0))
        }
    }

    /// The answer for a client that has waited, if there is news.
    ///
    /// - Returns: `nil` where there is none, and as for a request.
    static func answer(_ read: borrowing PullRead, _ api: FeedAPI) -> Response? {
        var pull = ReadyPull(api, read.caller, read.selection.presentation, read.parts.coding)
        for entry in read.selection.entries {
            guard pull.add(entry.name.utf8.span, since: entry.since) else { return nil }
        }
        guard pull.hasNews else { return nil }
        let parts = read.parts
        return pull.answer(parts.requester, read.mark) {
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
        let token = version.token
        // A feed that is named twice; it may have changed since it was looked for first.
        guard !parts.contains(where: { $0.token.hasSameEpoch(as: token) }) else { return false }
        version.prefetchAttachment()
        // Without a look for the old version: what is kept already is right without it.
        let kind = DocumentChoice.kind(since: since, presentation, now: token)
        if kind != .unchanged { hasNews = true }
        parts.append(Part(version: version, token: token, kind: kind))
        return true
    }
}

/// The steps that look at the feeds. Most of the feeds' memory is in no core's cache, and the
/// address of the next access is known only after the one before. So each step is done for all
/// feeds and prefetches the memory for the next step, which for all feeds takes as long as for one.
extension ReadyPull {
    /// Finds the responses about the feeds.
    private mutating func findResponses() -> Bool {
        for index in parts.indices {
            let responses = api.cache.responses(for: parts[index].version)
            parts[index].responses = responses
            guard presentation.view.isWhole else { continue }
            guard let code = parts[index].kind.code(.response) else { return false }
            parts[index].code = code
            responses.prefetchPlace(of: code)
        }
        return true
    }

    /// Has the documents in a form fetched.
    private func prefetchDocuments(_ form: ResponseKey.Form) {
        guard presentation.view.isWhole else { return }
        for index in parts.indices {
            let code = ResponseKey.code(parts[index].code, as: form)
            parts[index].responses?.prefetch(code: code)
        }
    }

    /// Finds the documents in a form.
    ///
    /// - Parameters:
    ///   - form: Which.
    ///   - limit: More bytes than the content may have that they are joined to.
    /// - Returns: The content's bytes; `nil` where they are too many, or one is not kept so.
    private mutating func findDocuments(_ form: ResponseKey.Form, below limit: Int = .max) -> Int? {
        var byteCount = PullWriter.byteCount(feeds: parts.count)
        for index in parts.indices {
            guard byteCount < limit, let document = document(index, form) else { return nil }
            byteCount += parts[index].version.feed.rawValue.utf8.count + document.bodyByteCount
            parts[index].document = document
        }
        return byteCount < limit ? byteCount : nil
    }

    private func document(_ index: Int, _ form: ResponseKey.Form) -> Payload? {
        guard let responses = parts[index].responses else { return nil }
        guard !presentation.view.isWhole else {
            return responses[code: ResponseKey.code(parts[index].code, as: form)]
        }
        return responses.response(parts[index].kind, presentation.view, form)
    }

    /// Returns the tag of the response, and when it is worth asking again.
    private func summary() -> (EntityTag, hint: Int) {
        var tag = PullTag()
        var hint = Int.max
        for index in parts.indices {
            guard let responses = parts[index].responses else { continue }
            let version = parts[index].version
            tag.add(version.feed.rawValue.utf8.span, responses.tag)
            hint = min(hint, responses.hint(at: now) { api.builder.polling.hint(version) })
        }
        return (tag.tag(presentation.view), hint)
    }
}

/// The answer.
extension ReadyPull {
    /// Returns the response, if all its documents are kept.
    ///
    /// - Parameters:
    ///   - requester: The client that asks.
    ///   - mark: The mark for clients that were ready to wait.
    ///   - outcome: Returns the outcome of the conditions for a tag.
    /// - Returns: `nil` where a document has to be made, much is to be sent, or a condition fails.
    private mutating func answer(
        _ requester: Requester,
        _ mark: WaitPreference.Mark?,
        _ outcome: (EntityTag) -> Conditions.Outcome
    ) -> Response? {
        guard findResponses() else { return nil }
        let mayBePlain = !wish.isForced || wish.coding == .identity
        if mayBePlain { prefetchDocuments(.response) }
        let (tag, hint) = summary()
        let outcome = outcome(tag)
        if case .failed = outcome { return nil }
        let builder = api.builder
        let own = Response.OwnFields(
            lines: requester.originLines,
            number: hint
        )
        if case .notModified(let coding) = outcome {
            return .cached(builder.notModified(tag, coding, mark), own)
        }
        if mayBePlain, let byteCount = findDocuments(.response, below: plainByteLimit) {
            return .cached(builder.pull(tag, mark, draft(byteCount)), own)
        }
        guard let (content, coding) = longContent() else { return nil }
        return .cached(builder.pull(tag, coding, mark, content), own)
    }

    /// Whether the content is sent without a coding, however long it is.
    private var isPlain: Bool {
        // That there is nothing new gains nothing by compression, of however many feeds.
        wish.coding == .identity || !hasNews && !wish.isForced
    }

    /// More bytes than content has that is sent without a coding, and kept with its head.
    private var plainByteLimit: Int {
        isPlain ? Payload.Draft.byteLimit : PullBody.codedMinimum
    }

    /// The content without a coding.
    private func draft(_ byteCount: Int) -> Payload.Draft {
        var draft = api.builder.pullDraft(byteCount)
        for index in parts.indices {
            guard let document = parts[index].document else { continue }
            draft.append { output in
                let name = parts[index].version.feed.rawValue
                output.append(nameOf: name.utf8.span, isFirst: index == 0)
                document.writeBody(to: &output)
            }
        }
        draft.append { $0.append(PullWriter.end) }
        return draft
    }

    /// Returns the content and its coding, where it is not short or is to be coded in any case.
    private mutating func longContent() -> ([UInt8], ContentCoding)? {
        var coding = isPlain ? .identity : wish.coding
        if coding != .identity {
            prefetchDocuments(.gzipPart)
            guard let codedByteCount = findDocuments(.gzipPart) else { return nil }
            if !wish.isForced {
                guard let plainByteCount, plainByteCount >= PullBody.codedMinimum else {
                    return nil
                }
                if !PullBody.gains(codedByteCount, plainByteCount, feeds: parts.count) {
                    coding = .identity
                }
            }
        }
        if coding == .identity, findDocuments(.response) == nil { return nil }
        var byteCount = 0
        // A part is never copied as a whole: that would count four references.
        for index in parts.indices { byteCount += parts[index].document?.bodyByteCount ?? 0 }
        guard byteCount < FeedAPI.copiedPullByteCount else { return nil }
        var writer = PullWriter(coding, documentByteCount: byteCount, feedCount: parts.count)
        for index in parts.indices {
            guard let document = parts[index].document else { return nil }
            writer.add(parts[index].version.feed.rawValue.utf8.span, document)
        }
        return (writer.finish(), coding)
    }

    /// Bytes of the content without a coding, where the documents are parts of a gzip stream.
    private var plainByteCount: Int? {
        var byteCount = PullWriter.byteCount(feeds: parts.count)
        for index in parts.indices {
            guard let document = parts[index].document else { return nil }
            byteCount += parts[index].version.feed.rawValue.utf8.count + document.contentByteCount
        }
        return byteCount
    }
}
