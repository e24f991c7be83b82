import FeedModel
import Testing

@testable import FeedMirror

/// Questions of a mirror to its origin about tokens that clients have and the mirror has not.
@Suite(.timeLimit(.minutes(2))) struct AskedOrigins {
    private typealias Exchange = ScriptedOrigin.Exchange

    private let origin = ScriptedOrigin()
    private let trial: MirrorTrial
    private let first: Told
    private let second: Told

    init() throws {
        trial = try MirrorTrial(of: origin.url)
        first = try Told("aaaaaaaa.1", "a")
        second = try Told("aaaaaaaa.2", "b", "a")
    }

    /// Starts the mirror, whose stream brings a version of `news` and is ready.
    private func following(_ version: Told?) async throws -> Exchange {
        trial.start()
        let stream = try #require(await origin.stream())
        stream.beginStream()
        if let version { stream.event(try version.whole()) }
        stream.ready()
        await until { trial.mirror.isFollowing }
        return stream
    }

    private func question() async throws -> Exchange {
        try #require(await origin.question())
    }

    @Test func bringWhatTheStreamHasNotBroughtYet() async throws {
        let stream = try await following(first)
        async let isBrought = trial.asks(("news", "aaaaaaaa.2"))
        let head = try await question()
        #expect(head.line == "GET /pull?feed=news@aaaaaaaa.2&limit=0")
        #expect(head.head.contains("Authorization: Bearer a-key\r\n"))
        head.answer(with: ("news", try second.unchanged))
        let fetch = try await question()
        #expect(fetch.line == "GET /pull?feed=news@aaaaaaaa.1")
        fetch.answer(with: ("news", try second.changes(since: first)))
        #expect(await isBrought)
        #expect(trial.token() == "aaaaaaaa.2" && trial.ids() == ["b", "a"])
        // The stream comes later, from a version that is not current any more.
        let third = try Told("aaaaaaaa.3", "c")
        stream.event(try second.changes(since: first))
        stream.event(try third.changes(since: second))
        await trial.has("aaaaaaaa.3")
        #expect(trial.mirror.behindFeedCount == 0 && trial.reports.isEmpty)
    }

    @Test func fetchNothingIfTheOriginHasNothingNewer() async throws {
        _ = try await following(first)
        async let isBrought = trial.asks(("news", "aaaaaaaa.9"))
        try await question().answer(with: ("news", try first.unchanged))
        #expect(await isBrought)
        #expect(trial.token() == "aaaaaaaa.1")
    }

    @Test func areOneRequestForSeveralFeeds() async throws {
        _ = try await following(first)
        let other = try Told("bbbbbbbb.1", "x")
        async let isBrought = trial.asks(("news", nil), ("other", "bbbbbbbb.1"), ("third", nil))
        let head = try await question()
        #expect(head.line == "GET /pull?feed=news&feed=other@bbbbbbbb.1&feed=third&limit=0")
        head.answer(
            with: ("news", try first.whole()),
            ("other", try other.whole(of: "other")),
            ("third", Told.missing("third"))
        )
        let fetch = try await question()
        #expect(fetch.line == "GET /pull?feed=other&feed=third")
        fetch.answer(
            with: ("other", try other.whole(of: "other")),
            ("third", Told.missing("third"))
        )
        #expect(await isBrought)
        #expect(trial.token("other") == "bbbbbbbb.1")
        #expect(trial.token("third") == nil && trial.token() == "aaaaaaaa.1")
    }

    @Test func areNotAskedAboutFeedsThatAreNotFollowed() async throws {
        let trial = try MirrorTrial(of: "http://127.0.0.1:1", following: "n*")
        #expect(await trial.asks(("sports", "aaaaaaaa.1")))
        #expect(await trial.asks())
        #expect(await !trial.asks(("news", "aaaaaaaa.1")))
    }

    @Test func bringDeletionsAndNewEpochs() async throws {
        _ = try await following(first)
        async let isGone = trial.asks(("news", "bbbbbbbb.1"))
        try await question().answer(with: ("news", Told.missing()))
        try await question().answer(with: ("news", Told.missing()))
        #expect(await isGone)
        #expect(trial.token() == nil)
        let again = try Told("cccccccc.1", "c")
        async let isBack = trial.asks(("news", "cccccccc.1"))
        try await question().answer(with: ("news", try again.unchanged))
        try await question().answer(with: ("news", try again.whole()))
        #expect(await isBack)
        #expect(trial.token() == "cccccccc.1")
    }

    @Test(arguments: ["503", "cut", "no JSON", "no documents", "no feeds", "other"])
    func failWithTheirAnswers(_ fault: String) async throws {
        _ = try await following(first)
        async let isBrought = trial.asks(("news", "aaaaaaaa.2"))
        let head = try await question()
        switch fault {
        case "503": head.answer(503)
        case "cut": head.answer(200, #"{"kind":"pull","fee"#, length: 100)
        case "no JSON": head.answer(200, "<p>Hello")
        case "no documents": head.answer(200, #"{"kind":"pull","feeds":{"news":{}}}"#)
        case "no feeds": head.answer(200, #"{"kind":"pull","feeds":{}}"#)
        default: head.end()
        }
        #expect(await !isBrought)
        #expect(trial.token() == "aaaaaaaa.1")
        #expect(trial.mirror.isFollowing && trial.mirror.behindFeedCount == 0)
    }

    @Test func failAfterATimeWithoutAnAnswer() async throws {
        let trial = try MirrorTrial(of: origin.url) { $0.answerTime = .milliseconds(50) }
        // The origin may not even have read the question by then.
        #expect(await !trial.asks(("news", "aaaaaaaa.2")))
    }

    @Test func areAskedAgainForTheWholeAfterAnAnswerThatDoesNotFit() async throws {
        _ = try await following(first)
        async let isBrought = trial.asks(("news", "aaaaaaaa.2"))
        try await question().answer(with: ("news", try second.unchanged))
        let wrong = try await question()
        wrong.answer(with: ("news", try second.changes(since: first).spoiled))
        let whole = try await question()
        #expect(whole.line == "GET /pull?feed=news")
        #expect(trial.mirror.behindFeedCount == 1)
        whole.answer(with: ("news", try second.whole()))
        #expect(await isBrought)
        #expect(trial.token() == "aaaaaaaa.2" && trial.mirror.behindFeedCount == 0)
    }

    @Test func areGivenUpAfterThreeAnswersThatDoNotFit() async throws {
        _ = try await following(first)
        async let isBrought = trial.asks(("news", "aaaaaaaa.2"))
        try await question().answer(with: ("news", try second.unchanged))
        for _ in 0..<3 { try await question().answer(with: ("news", try second.whole().spoiled)) }
        #expect(await !isBrought)
        #expect(trial.token() == "aaaaaaaa.1")
    }

    @Test func doNotBringBackWhatTheStreamHasOvertaken() async throws {
        let stream = try await following(first)
        let third = try Told("aaaaaaaa.3", "c")
        async let isBrought = trial.asks(("news", "aaaaaaaa.2"))
        try await question().answer(with: ("news", try second.unchanged))
        let fetch = try await question()
        stream.event(try third.changes(since: first))
        await trial.has("aaaaaaaa.3")
        fetch.answer(with: ("news", try second.changes(since: first)))
        #expect(await isBrought)
        #expect(trial.token() == "aaaaaaaa.3" && trial.mirror.behindFeedCount == 0)
    }

    @Test func areAskedAgainIfTheStreamBroughtAnotherEpochMeanwhile() async throws {
        let stream = try await following(first)
        let next = try Told("bbbbbbbb.1", "b")
        async let isBrought = trial.asks(("news", "aaaaaaaa.2"))
        try await question().answer(with: ("news", try second.unchanged))
        let fetch = try await question()
        stream.event(try next.whole())
        await trial.has("bbbbbbbb.1")
        fetch.answer(with: ("news", try second.changes(since: first)))
        let again = try await question()
        #expect(again.line == "GET /pull?feed=news@aaaaaaaa.2&limit=0")
        again.answer(with: ("news", try next.unchanged))
        #expect(await isBrought)
        #expect(trial.token() == "bbbbbbbb.1")
    }

    /// Behind one address may be several servers, and the one that is asked second may be behind.
    @Test func areAskedAgainIfTheAnswerIsOlderThanTheHead() async throws {
        _ = try await following(first)
        async let isBrought = trial.asks(("news", "aaaaaaaa.2"))
        try await question().answer(with: ("news", try second.unchanged))
        try await question().answer(with: ("news", try first.unchanged))
        let again = try await question()
        #expect(again.line == "GET /pull?feed=news@aaaaaaaa.1")
        again.answer(with: ("news", try second.changes(since: first)))
        #expect(await isBrought)
        #expect(trial.token() == "aaaaaaaa.2")
    }

    @Test func areNotAnsweredByWhatIsOlderThanTheHead() async throws {
        _ = try await following(first)
        async let isBrought = trial.asks(("news", "aaaaaaaa.2"))
        try await question().answer(with: ("news", try second.unchanged))
        for _ in 0..<3 { try await question().answer(with: ("news", try first.unchanged)) }
        #expect(await !isBrought)
        #expect(trial.token() == "aaaaaaaa.1")
    }

    @Test func areAskedAnewIfTheAnswerIsOfAnotherEpochThanTheHead() async throws {
        _ = try await following(first)
        let next = try Told("bbbbbbbb.1", "b")
        async let isBrought = trial.asks(("news", "bbbbbbbb.1"))
        for _ in 0..<2 {
            let head = try await question()
            #expect(head.line == "GET /pull?feed=news@bbbbbbbb.1&limit=0")
            head.answer(with: ("news", try next.unchanged))
            let fetch = try await question()
            #expect(fetch.line == "GET /pull?feed=news@aaaaaaaa.1")
            fetch.answer(with: ("news", try first.unchanged))
        }
        try await question().answer(with: ("news", try next.unchanged))
        try await question().answer(with: ("news", try next.whole()))
        #expect(await isBrought)
        #expect(trial.token() == "bbbbbbbb.1")
    }

    @Test(arguments: [false, true])
    func areAskedAnewIfHeadAndAnswerDifferInWhetherThereIsTheFeed(_ isThere: Bool) async throws {
        _ = try await following(first)
        async let isBrought = trial.asks(("news", "aaaaaaaa.2"))
        let (older, newer) = (try first.unchanged, try second.unchanged)
        try await question().answer(with: ("news", isThere ? newer : Told.missing()))
        try await question().answer(with: ("news", isThere ? Told.missing() : older))
        let head = try await question()
        #expect(head.line == "GET /pull?feed=news@aaaaaaaa.2&limit=0")
        #expect(trial.token() == "aaaaaaaa.1")
        head.answer(with: ("news", Told.missing()))
        try await question().answer(with: ("news", Told.missing()))
        #expect(await isBrought)
        #expect(trial.token() == nil)
    }

    @Test func goOnUntilTheStreamAgrees() async throws {
        let stream = try await following(nil)
        async let isBrought = trial.asks(("news", "aaaaaaaa.1"))
        for _ in 0..<2 { try await question().answer(with: ("news", try first.whole())) }
        #expect(await isBrought)
        // The stream has never named the feed, and would not tell of its end.
        for _ in 0..<3 {
            let repeated = try await question()
            #expect(repeated.line == "GET /pull?feed=news&limit=0")
            repeated.answer(with: ("news", try first.unchanged))
        }
        let last = try await question()
        stream.event(try first.whole())
        stream.event(try second.changes(since: first))
        await trial.has("aaaaaaaa.2")
        last.answer(with: ("news", try second.unchanged))
        // No more questions come by themselves: the next one is a client's.
        async let isKnown = trial.asks(("other", nil))
        let other = try await question()
        #expect(other.line == "GET /pull?feed=other&limit=0")
        other.answer(503)
        #expect(await !isKnown)
    }

    @Test func endFeedsThatTheStreamNeverNamed() async throws {
        _ = try await following(nil)
        async let isBrought = trial.asks(("news", "aaaaaaaa.1"))
        for _ in 0..<2 { try await question().answer(with: ("news", try first.whole())) }
        #expect(await isBrought)
        for _ in 0..<2 { try await question().answer(with: ("news", Told.missing())) }
        await trial.has(nil)
    }
}
