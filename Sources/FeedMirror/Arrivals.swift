import FeedModel

/// Decides whether news of a feed is outdated when it arrives at a mirror.
///
/// A mirror gets news over two connections: events of a stream, and answers to pull requests, which
/// are called questions here. An answer may thus be older than an event that came before it, and an
/// event older than an answer.
///
/// Versions of one epoch are ordered, but epochs are not. If stream and answer differ in the epoch,
/// the mirror asks again until they agree.
struct Arrivals: Sendable {
    /// The feeds that had news while a question was open; the answer about these may be outdated.
    struct Overtaking: Sendable {
        private(set) var feeds: Set<FeedName> = []
        /// Whether a stream began while the question was open.
        ///
        /// If so, all feeds count: a stream does not report that a feed is missing, unless its
        /// request named the feed.
        fileprivate(set) var isAll = false

        func includes(_ feed: FeedName) -> Bool { isAll || feeds.contains(feed) }

        fileprivate mutating func add(_ feed: FeedName) { feeds.insert(feed) }
    }

    private var questions: [Int: Overtaking] = [:]
    private var lastQuestion = 0
    /// The feeds that the stream's request named, and the feeds that had news since; `nil`: the
    /// stream is ready, or none has begun.
    private var known: Set<FeedName>?
    /// The feeds to ask about again, until the stream agrees with the answers.
    ///
    /// The stream alone is not enough: it does not report the deletion of a feed that it never
    /// mentioned, and an answer may be newer than the stream.
    private(set) var unconfirmed: Set<FeedName> = []
    /// For each feed, the last answer if the stream does not agree with it yet.
    private var answered: [FeedName: Answer] = [:]

    /// An answer about a feed.
    private struct Answer {
        /// The feed's epoch; `nil`: the feed does not exist.
        var epoch: String?
        /// The last epoch that the stream reported in an event that counted as outdated; `nil`: no
        /// such event came, or the last one said that the feed is gone.
        var streamed: String?
    }

    /// Begins a question, and returns its number for ``end(_:)``.
    mutating func begin() -> Int {
        lastQuestion += 1
        questions[lastQuestion] = Overtaking()
        return lastQuestion
    }

    /// Ends a question, and returns the feeds that had news while it was open; none if it has ended
    /// already.
    mutating func end(_ question: Int) -> Overtaking {
        questions.removeValue(forKey: question) ?? Overtaking()
    }

    /// Records that a stream begins, and the feeds that its request names.
    mutating func streamBegins(with feeds: some Sequence<FeedName>) {
        known = Set(feeds)
        unconfirmed = []
        answered = [:]
        for question in questions.keys { questions[question]?.isAll = true }
    }

    /// Records that the stream is ready: it has reported all feeds of the origin.
    ///
    /// - Returns: The feeds that the stream's request named, and the feeds that had news since;
    ///   other feeds do not exist. `nil`: the stream was ready before.
    mutating func streamIsReady() -> Set<FeedName>? {
        defer { known = nil }
        return known
    }

    /// Records that news of a feed arrived.
    ///
    /// `isStream` is `true` for an event of the stream that is not outdated, otherwise `false`.
    mutating func recordArrival(_ feed: FeedName, byStream isStream: Bool) {
        known?.insert(feed)
        if isStream { unconfirmed.remove(feed) }
        for question in questions.keys { questions[question]?.add(feed) }
    }

    /// Returns whether the stream does not agree yet with the last answer about a feed.
    func isUnconfirmed(_ feed: FeedName) -> Bool { answered[feed] != nil }

    /// Records the epoch of a feed in an answer; `nil`: the feed does not exist.
    mutating func answer(_ feed: FeedName, became epoch: String?) {
        let streamed = answered[feed]?.streamed
        if let epoch, epoch == streamed {
            // The stream has already reported this epoch, in an event that counted as outdated.
            answered[feed] = nil
            unconfirmed.remove(feed)
            return
        }
        answered[feed] = Answer(epoch: epoch, streamed: streamed)
        note(feed)
    }

    /// Returns whether an event of the stream may be outdated, and records its epoch.
    ///
    /// The event may be outdated if its epoch differs from that of the last answer; the next answer
    /// decides.
    ///
    /// - Parameters:
    ///   - epoch: The epoch in the event; `nil`: the event says that the feed is gone.
    ///   - feed: The event's feed.
    /// - Returns: `false` if the event agrees with the last answer, or no answer is in doubt.
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

    /// Marks a feed to be asked about again, unless the answer says that it does not exist, and the
    /// stream has not named another epoch.
    private mutating func note(_ feed: FeedName) {
        if answered[feed]?.epoch == nil, answered[feed]?.streamed == nil {
            unconfirmed.remove(feed)
        } else {
            unconfirmed.insert(feed)
        }
    }
}
