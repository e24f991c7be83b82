import FeedModel

/// Decides whether news of a feed is outdated.
///
/// A mirror gets news over two connections, the stream of changes and the answers to its pull
/// requests, so an answer may be older than an event that came before it, and the other way round.
///
/// A question is such a pull request. Epochs have no order: which of two is newer can only be told
/// by asking again, until stream and answer agree.
struct Arrivals: Sendable {
    /// The feeds that had news while a question was open, so that its answer may be outdated.
    struct Overtaking: Sendable {
        private(set) var feeds: Set<FeedName> = []
        /// Whether a stream began meanwhile.
        ///
        /// If so, all feeds count, since a stream reports nothing of a missing feed that it was not
        /// told of.
        fileprivate(set) var isAll = false

        func includes(_ feed: FeedName) -> Bool { isAll || feeds.contains(feed) }

        fileprivate mutating func add(_ feed: FeedName) { feeds.insert(feed) }
    }

    private var questions: [Int: Overtaking] = [:]
    private var lastQuestion = 0
    /// The feeds that were named when the stream began, and the feeds that had news since; `nil`
    /// once the stream is ready.
    private var known: Set<FeedName>?
    /// The feeds to ask about until the stream agrees with the answers.
    ///
    /// The stream would not report the deletion of a feed that it never mentioned, and an answer
    /// may be newer than the stream.
    private(set) var unheard: Set<FeedName> = []
    /// For each feed, the last answer that the stream does not agree with yet.
    private var answered: [FeedName: Answer] = [:]

    private struct Answer {
        /// The feed's epoch; `nil`: the feed does not exist.
        var epoch: String?
        /// The last epoch that the stream has reported since the answer.
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

    /// Ends a question.
    ///
    /// - Returns: The feeds that had news meanwhile; none, if the question has ended already.
    mutating func end(_ question: Int) -> Overtaking {
        questions.removeValue(forKey: question) ?? Overtaking()
    }

    /// Records that a stream begins.
    ///
    /// - Parameter feeds: The feeds that its request names.
    mutating func streamBegins(with feeds: some Sequence<FeedName>) {
        known = Set(feeds)
        unheard = []
        answered = [:]
        for question in questions.keys { questions[question]?.isAll = true }
    }

    /// Records that the stream has brought all feeds of the origin.
    ///
    /// - Returns: The feeds that the request named or the stream has brought; other feeds do not
    ///   exist. `nil`: the stream was ready before.
    mutating func streamIsReady() -> Set<FeedName>? {
        defer { known = nil }
        return known
    }

    /// Records that news of a feed came.
    mutating func came(_ feed: FeedName, byStream isStream: Bool) {
        known?.insert(feed)
        if isStream { unheard.remove(feed) }
        for question in questions.keys { questions[question]?.add(feed) }
    }

    /// Whether the stream does not agree yet with the last answer about a feed.
    func awaits(_ feed: FeedName) -> Bool { answered[feed] != nil }

    /// Records the epoch of a feed by an answer; `nil`: the feed does not exist.
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

    /// Returns whether an event of the stream may be outdated: its epoch differs from that of the
    /// last answer.
    ///
    /// The next answer decides.
    ///
    /// - Parameter epoch: The epoch in the event; `nil`: the event says that the feed is gone.
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

    /// Marks a feed to be asked about again, unless stream and answer agree that it is gone.
    private mutating func note(_ feed: FeedName) {
        if answered[feed]?.epoch == nil, answered[feed]?.streamed == nil {
            unheard.remove(feed)
        } else {
            unheard.insert(feed)
        }
    }
}
