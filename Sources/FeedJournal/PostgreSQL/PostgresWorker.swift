import FeedModel
import FeedStore
import Platform
import Synchronization

/// The part of a PostgreSQL journal that runs on its thread: the connection, and what is known of
/// the database.
///
/// `@unchecked Sendable`: all properties but `place` are used on the journal's queue
/// alone.
final class PostgresWorker: @unchecked Sendable {
    /// A transaction whose connection was lost, so that it may have been committed or not.
    struct Undecided {
        let id: Int
        /// The transaction's entries.
        let sent: [Batch.Sent]
        let reason: String
        let since: ContinuousClock.Instant
        var isTold = false
    }

    let settings: PostgresJournal.Settings
    let place = Mutex("")
    /// The number by which the servers on one database tell each other apart.
    let writer = Int.random(in: 1...Int.max)

    var connection: PostgresConnection?
    /// The known chains of all feeds.
    var heads: [FeedName: FeedChain] = [:]
    /// The number of the first transaction that may not have been seen, as PostgreSQL writes it.
    var horizon = "0"
    /// Whether commits wait for a standby, as noted in the database.
    var notedSynchronous: Bool?
    /// Whether commits waited for a standby when this process last looked, perhaps in another
    /// database.
    var sawSynchronous: Bool?
    var undecided: Undecided?
    /// A ``VersionNumber`` that all versions made since the last connection began exceed.
    var firstNumber = 0
    /// The feeds whose rows are damaged, with the errors.
    var damaged: [FeedName: PostgresError] = [:]
    /// The names in the database that no feed can have, and that were reported.
    private var misnamed: Set<String> = []
    /// Whether this server leads.
    var isLeading = false

    /// Whether another server has announced changes that were not read yet.
    private var isNotified = false
    private var lastPoll = ContinuousClock.now
    private var lastSweep = ContinuousClock.now
    /// The time before which no attempt to connect is made.
    private var retryTime = ContinuousClock.now
    /// The pause after the next failed attempt.
    private var pause = Duration.milliseconds(50)

    init(_ settings: PostgresJournal.Settings) {
        self.settings = settings
    }

    /// The open connection.
    ///
    /// - Throws: The error of a lost connection if there is none.
    var session: PostgresConnection {
        get throws(PostgresError) {
            guard let connection else { throw .lost("") }
            return connection
        }
    }
}

/// Runs the worker's loop.
extension PostgresWorker {
    /// The time for which publishes wait while the connection is lost before they are refused.
    private static let grace = Duration.seconds(1)

    /// The time after which the publishers of an undecided transaction are told that the outcome is
    /// unknown.
    private static let doubt = Duration.seconds(5)

    /// Works until the journal is closed.
    func run(_ journal: PostgresJournal) {
        while true {
            let inbox = connection == nil ? JournalInbox() : journal.takeInbox()
            do throws(PostgresError) {
                if connection == nil { try reconnect(journal) }
                try work(inbox, journal)
                try listen(journal)
            } catch {
                lose(error, journal)
            }
            if connection == nil { sitOut(journal) }
            guard !journal.isClosing else { return end(journal) }
            if connection != nil, inbox.isEmpty, !isNotified {
                let due = settings.pollTime - (ContinuousClock.now - lastPoll)
                journal.wait(for: connection?.descriptor, atMost: max(.zero, due))
            }
        }
    }

    /// Carries out the requests of an inbox.
    private func work(_ inbox: JournalInbox, _ journal: PostgresJournal) throws(PostgresError) {
        // The requests that remain after an error are refused. Entries and requests about kept
        // versions are told by those who write and answer them, whether or not these fail.
        var inbox = inbox
        do throws(PostgresError) {
            if !inbox.items.isEmpty { try write(inbox.take(\.items), journal) }
            if !inbox.stateChanges.isEmpty {
                let areKept = try keep(inbox.states)
                journal.tell(inbox.take(\.stateChanges), areKept)
            }
            if !inbox.words.isEmpty { try tellLeader(inbox.words) }
            if !inbox.searches.isEmpty { try search(inbox.searches, journal) }
            inbox.searches = []
            try answer(inbox.take(\.keptRequests), journal)
            if !inbox.compactions.isEmpty { try write(inbox.compactions) }
            if !inbox.questions.isEmpty { try answer(inbox.questions, journal) }
        } catch {
            refuse(inbox, JournalError(error.description), journal)
            heads.end(inbox.compactions)
            throw error
        }
    }

    /// Hears notifications, polls, and sweeps, each when it is time.
    private func listen(_ journal: PostgresJournal) throws(PostgresError) {
        guard let connection else { return }
        for text in try connection.takeNotifications() where text != "\(writer)" {
            if !hear(text, journal) { isNotified = true }
        }
        let now = ContinuousClock.now
        if isNotified || now - lastPoll >= settings.pollTime {
            isNotified = false
            lastPoll = now
            try poll(journal)
            try lead(journal)
            journal.heard.withLock { $0 = now }
        }
        if now - lastSweep >= settings.sweepTime {
            lastSweep = now
            try sweep()
        }
    }

    /// Reads the changes by other servers.
    func poll(_ journal: PostgresJournal) throws(PostgresError) {
        var statements = [
            PostgresStatement(PostgresSchema.changedHeads, [.text(horizon), .integer(writer)]),
            PostgresStatement(PostgresSchema.forgotten, [.text(horizon), .integer(writer)]),
        ]
        let hearsOfSources = journal.wantsToLead && !isLeading
        if hearsOfSources {
            statements.append(PostgresStatement(PostgresSchema.sources, [.text(horizon)]))
        }
        // Rows of feeds that were deleted since the last poll may be gone by now.
        let isLate =
            ContinuousClock.now - journal.heard.withLock(\.self) >= settings.deletedTime / 2
        let results = try session.run(statements)
        if hearsOfSources { tell(ofSources: results[2], journal) }
        let rows = results[0]
        var remote: [RemoteChange] = []
        defer { journal.deliver(remote) }
        guard let first = rows.first else { return }
        defer { noteForgotten(results[1], &remote) }
        if isLate {
            try compareAll(&remote)
        } else {
            try follow(changes(rows), &remote)
            horizon = first.text(0)
        }
        try note(isSynchronous: !first.blob(1).isEmpty)
    }

    /// Returns the newest versions in a result.
    ///
    /// A row with a name that no feed can have is reported once, and skipped, so that this server
    /// goes on with all other feeds.
    func changes(_ rows: PostgresRows) -> [StoredVersion] {
        rows.compactMap { row in
            do throws(PostgresError) {
                return try newest(row)
            } catch {
                let isNew = misnamed.insert(row.text(2)).inserted
                if isNew { settings.report("the database: \(error)") }
                return nil
            }
        }
    }

    /// Returns the newest version in a row; `nil`: the row is the only one of a query for all
    /// feeds, and there is no feed.
    func newest(_ row: PostgresRow) throws(PostgresError) -> StoredVersion? {
        row.isNull(2) ? nil : try StoredVersion(row, from: 2)
    }

    private func answer(
        _ questions: [JournalInbox.Question],
        _ journal: PostgresJournal
    ) throws(PostgresError) {
        try catchUp(Set(questions.flatMap(\.feeds)), journal)
        for question in questions {
            let isAnswered = question.feeds.allSatisfy { damaged[$0] == nil }
            journal.afterwards { question.completion(isAnswered) }
        }
    }

    /// Reads newer versions of some feeds.
    func catchUp(_ feeds: Set<FeedName>, _ journal: PostgresJournal) throws(PostgresError) {
        guard !feeds.isEmpty else { return }
        let rows = try session.run(PostgresSchema.heads, [.texts(feeds.map(\.rawValue))])
        var changes = changes(rows)
        let found = Set(changes.map(\.name))
        for feed in feeds where !found.contains(feed) && heads[feed] != nil {
            changes.append(StoredVersion(absent: feed))
        }
        var remote: [RemoteChange] = []
        defer { journal.deliver(remote) }
        try follow(changes, &remote)
    }

    private func search(
        _ searches: [JournalInbox.Search],
        _ journal: PostgresJournal
    ) throws(PostgresError) {
        let statements = searches.map { search in
            PostgresStatement(
                PostgresSchema.findAnswer,
                [.blob(search.owner), .blob(search.key), .real(JournalAnswer.lifetime)]
            )
        }
        for (search, rows) in zip(searches, try session.run(statements)) {
            // An answer with an impossible time is ignored.
            let answer = rows.first.flatMap { try? self.answer($0) }
            journal.afterwards { search.completion(.success(answer)) }
        }
    }
}

/// Handles a lost connection, reconnects, and closes.
extension PostgresWorker {
    /// Reports an error, and gives the connection up unless it can still be used.
    private func lose(_ error: PostgresError, _ journal: PostgresJournal) {
        guard error.endsConnection else {
            // The callers have been told; the next poll begins anew.
            journal.note(refusal: error)
            return settings.report("the database refused something: \(error)")
        }
        connection = nil
        leave(journal)
        let text = "the database cannot be reached: \(error)"
        let isNew = journal.exchange.trouble.withLock { trouble in
            defer { trouble.reason = text }
            return trouble.reason == nil
        }
        guard isNew else { return }
        journal.exchange.counts.withLock { $0.failures += 1 }
        settings.report(text)
    }

    private func reconnect(_ journal: PostgresJournal) throws(PostgresError) {
        guard ContinuousClock.now >= retryTime else { return }
        retryTime = ContinuousClock.now + pause * Double.random(in: 0.5...1)
        pause = min(pause * 2, .seconds(2))
        do throws(PostgresError) {
            try connect()
            try resolve(journal)
            journal.noteBreak()
            firstNumber = VersionNumber.next()
            var remote: [RemoteChange] = []
            defer { journal.deliver(remote) }
            try compareAll(&remote)
            if journal.wantsToLead {
                tell(ofSources: try session.run(PostgresSchema.sources, [.text("0")]), journal)
            }
        } catch {
            connection = nil
            throw error.isLost ? error : .lost(error.description)
        }
        for name in Array(heads.keys) { heads[name]?.isCompacting = false }
        (pause, lastPoll) = (.milliseconds(50), ContinuousClock.now)
        journal.exchange.counts.withLock { $0.reopenings += 1 }
        journal.heard.withLock { $0 = .now }
        journal.exchange.trouble.withLock { $0 = JournalTrouble() }
        settings.report("the database is connected again")
    }

    /// Refuses requests that have waited long enough, and sleeps until the next attempt to connect.
    private func sitOut(_ journal: PostgresJournal) {
        let now = ContinuousClock.now
        if now - journal.heard.withLock(\.self) > PostgresWorker.grace {
            let reason = journal.exchange.trouble.withLock(\.reason) ?? ""
            refuse(journal.takeInbox(), JournalError(reason), journal)
        }
        if let undecided, !undecided.isTold, now - undecided.since > PostgresWorker.doubt {
            self.undecided?.isTold = true
            journal.tell(undecided.sent.map(\.item), .unknown(undecided.reason))
        }
        let time = min(max(.zero, retryTime - now), .milliseconds(100))
        // Requests do not end the wait.
        if time > .zero { Descriptor.wait(for: [], atMost: time) }
    }

    /// Tells all callers of an inbox that nothing comes of their requests.
    private func refuse(
        _ inbox: JournalInbox,
        _ error: JournalError,
        _ journal: PostgresJournal
    ) {
        journal.tell(inbox.items, .refused(error.description))
        journal.refuse(inbox.keptRequests, error.description)
        journal.tell(inbox.stateChanges, false)
        journal.afterwards {
            for question in inbox.questions { question.completion(false) }
            for search in inbox.searches { search.completion(.failure(error)) }
        }
    }

    /// Decides the remaining entries when the journal is closed.
    func end(_ journal: PostgresJournal) {
        var inbox = journal.takeInbox()
        while !inbox.isEmpty {
            var areKept = false
            if connection == nil {
                journal.tell(inbox.items, .refused(PostgresJournal.stopping.description))
            } else {
                do throws(PostgresError) {
                    // The entries are told here, or become undecided.
                    try write(inbox.items, journal)
                    areKept = try keep(inbox.states)
                } catch {
                    lose(error, journal)
                }
            }
            journal.tell(inbox.take(\.stateChanges), areKept)
            inbox.items = []
            refuse(inbox, PostgresJournal.stopping, journal)
            inbox = journal.takeInbox()
        }
        if let undecided, !undecided.isTold {
            journal.tell(undecided.sent.map(\.item), .unknown(undecided.reason))
        }
        connection = nil
        leave(journal)
    }
}

extension StoredVersion {
    /// Makes the row of a feed that does not exist.
    init(absent name: FeedName) {
        self.name = name
        (id, epoch, version, hash) = (0, "", 0, 0)
    }
}
