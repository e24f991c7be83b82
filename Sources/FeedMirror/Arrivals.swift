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
    /// The epochs of feeds that answers have ended, in their order, of which the stream may still
    /// speak: it is behind.
    private var ended: [FeedName: [String]] = [:]

    /// So many are known of a feed; of an older one the stream speaks no more.
    private static let endedLimit = 16

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
        ended = [:]
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

    /// Notes that by an answer a feed has another epoch than it had; `nil`: it was not, or is not
    /// there.
    mutating func answer(_ feed: FeedName, _ old: String?, became new: String?) {
        if new != nil { unheard.insert(feed) } else { unheard.remove(feed) }
        var epochs = ended[feed, default: []].filter { $0 != new }
        if let old { epochs.append(old) }
        ended[feed] = epochs.isEmpty ? nil : epochs.suffix(Arrivals.endedLimit)
    }

    /// Whether what the stream says is of an epoch that an answer has ended, so that it would lead
    /// back.
    ///
    /// - Parameter epoch: That of a version; `nil`: the stream says that the feed is gone, which is the
    ///   end of the first of these epochs.
    mutating func isPast(_ epoch: String?, of feed: FeedName) -> Bool {
        guard let epochs = ended[feed] else { return false }
        let first = epoch.map { epoch in epochs.lastIndex(of: epoch) } ?? 1
        let left = first.map { Array(epochs.dropFirst($0)) } ?? []
        ended[feed] = left.isEmpty ? nil : left
        // Of a version that is none the less there, if the stream is right, an answer will say so.
        if first != nil, epoch != nil { unheard.insert(feed) }
        return first != nil
    }
}
