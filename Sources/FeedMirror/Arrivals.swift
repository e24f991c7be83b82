import FeedModel

/// In which order the mirror hears of feeds: the stream and the answers to questions come over
/// different connections, so an answer may be older than what the stream has brought meanwhile.
struct Arrivals: Sendable {
    /// The feeds of which something came while a question was open.
    struct Overtaking: Sendable {
        private(set) var feeds: Set<FeedName> = []
        /// Whether a stream began meanwhile, which is silent on what nobody has told it of.
        fileprivate(set) var isAll = false

        func includes(_ feed: FeedName) -> Bool { isAll || feeds.contains(feed) }

        fileprivate mutating func add(_ feed: FeedName) { feeds.insert(feed) }
    }

    private var questions: [Int: Overtaking] = [:]
    private var lastQuestion = 0
    /// The feeds that the stream was told of as it began, and those of which something came since;
    /// `nil` once it was ready.
    private var known: Set<FeedName>?
    /// Feeds that answers alone have brought. The stream, which never spoke of them, would not say
    /// that they are gone.
    private(set) var unheard: Set<FeedName> = []

    /// Begins a question.
    ///
    /// - Returns: Its number, for ``end(_:)``.
    mutating func begin() -> Int {
        lastQuestion += 1
        questions[lastQuestion] = Overtaking()
        return lastQuestion
    }

    /// Ends a question; one that has ended already was overtaken by nothing.
    mutating func end(_ question: Int) -> Overtaking {
        questions.removeValue(forKey: question) ?? Overtaking()
    }

    /// Notes that a stream begins.
    ///
    /// - Parameter feeds: Those that it is told of.
    mutating func streamBegins(with feeds: some Sequence<FeedName>) {
        known = Set(feeds)
        unheard = []
        for question in questions.keys { questions[question]?.isAll = true }
    }

    /// Notes that the stream has brought all that there is.
    ///
    /// - Returns: The feeds that it was told of or that came; others are not there. `nil` when it was
    ///   ready before.
    mutating func streamIsReady() -> Set<FeedName>? {
        defer { known = nil }
        return known
    }

    /// Notes that something came of a feed.
    mutating func came(_ feed: FeedName, byStream isStream: Bool) {
        known?.insert(feed)
        if isStream { unheard.remove(feed) }
        for question in questions.keys { questions[question]?.add(feed) }
    }

    /// Notes that an answer brought a feed that was not here, or took it away.
    mutating func answer(brought isThere: Bool, _ feed: FeedName) {
        if isThere { unheard.insert(feed) } else { unheard.remove(feed) }
    }
}
