import FeedJournal

/// What became of a publish.
package enum PublishOutcome<Value: Sendable, Failure: Error>: Sendable {
    /// It is done, as safe as the store keeps feeds, and visible.
    case done(Value)
    /// It cannot be done, as the feed is.
    case failed(Failure)
    /// The journal did not take it: nothing was done.
    case refused(String)
    /// Nobody knows yet whether it is kept; readers see the version before.
    case unknown(String)
    /// Nothing was done: another server that shares the journal was first. It is to be tried again.
    case late
}

extension PublishOutcome {
    /// What `body` returns is done, what it throws is why it cannot be done.
    init(catching body: () throws(Failure) -> Value) {
        do throws(Failure) {
            self = .done(try body())
        } catch {
            self = .failed(error)
        }
    }

    /// What a journal's outcome means for a change that would come to `value`.
    init(_ journalOutcome: JournalOutcome, _ value: Value) {
        switch journalOutcome {
        case .durable: self = .done(value)
        case .refused(let reason): self = .refused(reason)
        case .unknown(let reason): self = .unknown(reason)
        case .late: self = .late
        }
    }
}
