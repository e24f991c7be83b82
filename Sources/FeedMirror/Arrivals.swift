import FeedModel

/// In which order the mirror hears of feeds: the stream and the answers to questions come over
/// different connections, so an answer may be older than what the stream has brought meanwhile.
struct Arrivals: Sendable {
    /// The feeds that were heard of while a question was open.
    struct Overtaking: Sendable {
        private(set) var feeds: Set<FeedName> = []
        /// Whether a stream began meanwhile, which does not report feeds that it was not told of.
        fileprivate(set) var isAll = false

        func includes(_ feed: FeedName) -> Bool { isAll || feeds.contains(feed) }

        fileprivate mutating func add(_ feed: FeedName) { feeds.insert(feed) }
    }

    private var questions: [Int: Overtaking] = [:]
    private var lastQuestion = 0
    /// The feeds that the stream was told of as it began, and the feeds that were heard of since;
    /// `nil` once it was ready.
    private var known: Set<FeedName>?
    /// Feeds to ask about until the stream agrees. The stream would not report the deletion of a
    /// feed that it never mentioned, and an answer may know newer things of a feed than the stream.
    private(set) var unheard: Set<FeedName> = []
    /// The answers about feeds, as long as the stream has not come to the same.
    private var answered: [FeedName: Answer] = [:]

    private struct Answer {
        /// `nil`: the feed is not there.
        var epoch: String?
        /// The epoch that the stream has reported last since then.
        var streamed: String?
    }

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
    /// - Parameter feeds: The feeds that it is told of.
    mutating func streamBegins(with feeds: some Sequence<FeedName>) {
        known = Set(feeds)
        unheard = []
        answered = [:]
        for question in questions.keys { questions[question]?.isAll = true }
    }

    /// Notes that the stream has brought all that there is.
    ///
    /// - Returns: The feeds that it was told of or that came; others are not there. `nil` when it
    ///   was ready before.
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

    /// Whether the stream has yet to come to what an answer has said of a feed.
    func awaits(_ feed: FeedName) -> Bool { answered[feed] != nil }

    /// Notes what an answer says of a feed: its epoch; `nil`: it is not there.
    mutating func answer(_ feed: FeedName, became epoch: String?) {
        let streamed = answered[feed]?.streamed
        if let epoch, epoch == streamed {
            // The stream has come to it already, and was not believed.
            answered[feed] = nil
            unheard.remove(feed)
            return
        }
        answered[feed] = Answer(epoch: epoch, streamed: streamed)
        note(feed)
    }

    /// Whether what the stream says of a feed is not what an answer has said, so that it may lead
    /// back, through lives of the feed that are over: the next answer decides.
    ///
    /// - Parameter epoch: The epoch of a version; `nil`: the stream says that the feed is gone.
    mutating func isPast(_ epoch: String?, of feed: FeedName) -> Bool {
        guard let answer = answered[feed] else { return false }
        if let epoch, epoch == answer.epoch {
            answered[feed] = nil
            return false
        }
        answered[feed]?.streamed = epoch
        note(feed)
        return true
    }

    /// Where both say that a feed is gone there is nothing to ask.
    private mutating func note(_ feed: FeedName) {
        if answered[feed]?.epoch == nil, answered[feed]?.streamed == nil {
            unheard.remove(feed)
        } else {
            unheard.insert(feed)
        }
    }
}
