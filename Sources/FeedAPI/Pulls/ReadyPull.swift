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
        /// Once it is found, in the form that was looked for.
        var document: CachedResponse?
    }

    private let api: FeedAPI
    private let caller: Access.Caller
    private let presentation: Presentation
    private var parts: [Part] = []
    /// Which documents they are, where the feeds are not shown whole.
    private var kinds: [ResponseKey.Kind] = []
    private let now: Int
    private var tag = PullTag()
    private var hint = Int.max
    /// Whether one of them has more to say than that there is nothing new.
    private var hasNews = false

    private init(_ api: FeedAPI, _ caller: Access.Caller, _ presentation: consuming Presentation) {
        self.api = api
        self.caller = caller
        self.presentation = presentation
        now = api.store.seconds
        parts.reserveCapacity(4)
    }

    /// The answer to a request, whose names and tokens are read where they stand.
    ///
    /// - Returns: `nil` where a feed is not there or a document has to be made, much is to be sent,
    ///   a condition fails, or what is asked for is wrong.
    static func answer(_ request: borrowing RoutedRequest, _ api: FeedAPI) -> FinalResponse? {
        guard let presentation = try? Presentation(request.query) else { return nil }
        var pull = ReadyPull(api, request.caller, presentation)
        var isReady = true
        request.query.withEach(.feed) { text in
            if isReady { isReady = pull.add(text) }
        }
        guard isReady, !pull.parts.isEmpty else { return nil }
        return pull.answer(request.head.codingChoice, request.requester, nil) {
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
        guard pull.hasNews else { return nil }
        let parts = read.parts
        return pull.answer(parts.coding, parts.requester, read.wait?.mark) {
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
        return true
    }
}

/// The answer.
extension ReadyPull {
    /// What is answered where the documents are there.
    ///
    /// - Parameters:
    ///   - wish: How the answer should be coded.
    ///   - requester: Who asks.
    ///   - mark: What it says to those who were ready to wait.
    ///   - outcome: What comes of the conditions for a tag.
    /// - Returns: `nil` where a document has to be made, much is to be sent, or a condition fails.
    private mutating func answer(
        _ wish: CodingChoice,
        _ requester: Requester,
        _ mark: WaitPreference.Mark?,
        _ outcome: (Tag) -> ReadCondition.Outcome
    ) -> FinalResponse? {
        let tag = tag.tag(presentation.view)
        let outcome = outcome(tag)
        if case .failed = outcome { return nil }
        let completion = CachedResponse.Completion(
            lines: api.builder.cors.lines(for: requester),
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
    private mutating func content(_ wish: CodingChoice) -> ([UInt8], ContentCoding)? {
        let isPlain = wish.coding == .identity
        if isPlain || !wish.isForced, let content = plainContent(isPlain: isPlain) {
            return (content, .identity)
        }
        guard !isPlain, let found = findDocuments(.gzipPart),
            wish.isForced || found.contentByteCount >= ResponseBuilder.codedMinimum,
            found.byteCount < FeedAPI.copiedPullByteCount
        else { return nil }
        return (bytes(wish.coding, found), wish.coding)
    }

    /// What is sent without a coding.
    ///
    /// - Parameter isPlain: Whether nothing else will do. Otherwise nothing is sent like this that is
    ///   worth compressing.
    private mutating func plainContent(isPlain: Bool) -> [UInt8]? {
        let limit = isPlain ? FeedAPI.copiedPullByteCount : ResponseBuilder.codedMinimum
        guard let found = findDocuments(.response), found.byteCount < limit else { return nil }
        let content = bytes(.identity, found)
        return isPlain || content.count < limit ? content : nil
    }

    /// Bytes of all documents: as they are kept, and before they were coded.
    private struct Found {
        var byteCount = 0
        var contentByteCount = 0
    }

    /// Finds all documents in a form; `nil` where one is not there.
    private mutating func findDocuments(_ form: ResponseKey.Form) -> Found? {
        var found = Found()
        for index in parts.indices {
            guard let document = document(index, form) else { return nil }
            found.byteCount += document.body.count
            found.contentByteCount += document.contentByteCount
            parts[index].document = document
        }
        return found
    }

    private func document(_ index: Int, _ form: ResponseKey.Form) -> CachedResponse? {
        guard !presentation.view.isWhole else {
            return parts[index].responses[code: ResponseKey.code(parts[index].code, as: form)]
        }
        return parts[index].responses.response(kinds[index], presentation.view, form)
    }

    /// What the documents that were found make.
    private func bytes(_ coding: ContentCoding, _ found: Found) -> [UInt8] {
        var writer = PullWriter(
            coding,
            documentByteCount: found.byteCount,
            feedCount: parts.count
        )
        for index in parts.indices {
            guard let document = parts[index].document else { continue }
            writer.add(parts[index].responses.feed.rawValue.utf8.span, document)
        }
        return writer.finish()
    }
}
