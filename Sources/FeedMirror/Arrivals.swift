import FeedModel

/// The order in which news of feeds arrives: the stream and the answers to questions come over
/// different connections, so an answer may be older than what the stream has brought meanwhile.
struct Arrivals: Sendable {
    /// The feeds that had news while a question was open.
    struct Overtaking: Sendable {
        private(set) var feeds: Set<FeedName> = []
        /// Whether a stream began meanwhile: it does not report feeds that it was not told of.
        fileprivate(set) var isAll = false

        func includes(_ feed: FeedName) -> Bool { isAll || feeds.contains(feed) }

        fileprivate mutating func add(_ feed: FeedName) { feeds.insert(feed) }
    }

    private var questions: [Int: Overtaking] = [:]
    private var lastQuestion = 0
    /// The feeds that the stream was told of as it began, and the feeds that had news since; `nil`:
    /// the stream was ready already.
    private var known: Set<FeedName>?
    /// Feeds to ask about until the stream agrees. The stream would not report the deletion of a
    /// feed that it never mentioned, and an answer may know newer things of a feed than the stream.
    private(set) var unheard: Set<FeedName> = []
    /// The last answer about each feed that the stream does not agree with yet.
    private var answered: [FeedName: Answer] = [:]

    private struct Answer {
        /// The feed's epoch; `nil`: the feed does not exist.
        var epoch: String?
        /// The epoch that the stream has reported last since the answer.
        var streamed: String?
    }

    /// Begins a question.
    ///
    /// - Returns: The question's number, for ``end(_:)``.
    mutating func begin() -> Int {
        lastQuestion += 1
        questions[lastQuestion] = Overtaking()
        return lastQuestion
    }

    /// Ends a question, and returns the feeds that had news meanwhile; none, if the question has
    /// ended already.
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

    /// Notes that the stream has brought all that the origin has.
    ///
    /// - Returns: The feeds that the stream was told of or has brought; other feeds do not exist.
    ///   `nil`: the stream was ready before.
    mutating func streamIsReady() -> Set<FeedName>? {
        defer { known = nil }
        return known
    }

    /// Notes that news of a feed came.
    mutating func came(_ feed: FeedName, byStream isStream: Bool) {
        known?.insert(feed)
        if isStream { unheard.remove(feed) }
        for question in questions.keys { questions[question]?.add(feed) }
    }

    /// Whether the stream does not agree yet with the last answer about a feed.
    func awaits(_ feed: FeedName) -> Bool { answered[feed] != nil }

    /// Notes the epoch of a feed in an answer; `nil`: the feed does not exist.
    mutating func answer(_ feed: FeedName, became epoch: String?) {
        let streamed = answered[feed]?.streamed
        if let epoch, epoch == streamed {
            // The stream has reported this epoch already, and was not believed.
            answered[feed] = nil
            unheard.remove(feed)
            return
        }
        answered[feed] = Answer(epoch: epoch, streamed: streamed)
        note(feed)
    }

    /// Whether the stream's report of a feed may be outdated: it differs from the last answer, and
    /// may lead back through past epochs of the feed. The next answer decides.
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

    /// Notes that a feed is to be asked about again, unless stream and answer agree that it is
    /// gone.
    private mutating func note(_ feed: FeedName) {
        if answered[feed]?.epoch == nil, answered[feed]?.streamed == nil {
            unheard.remove(feed)
        } else {
            unheard.insert(feed)
        }
    }
}
