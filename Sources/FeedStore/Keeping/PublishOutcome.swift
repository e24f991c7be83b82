import FeedJournal

/// The outcome of a publish.
package enum PublishOutcome<Value: Sendable, Failure: Error>: Sendable {
    /// The publish is complete: kept as safely as the store keeps feeds, and visible.
    case done(Value)
    /// The publish is not possible in the feed's present state.
    case failed(Failure)
    /// The journal refused it: nothing was changed.
    case refused(String)
    /// The journal does not know yet whether it is kept; readers see the version before.
    case unknown(String)
    /// Another server that shares the journal was first: nothing was changed, and the publish
    /// should be tried again.
    case late
}

extension PublishOutcome {
    /// Makes an outcome from the value that `body` returns, or the error that it throws.
    init(catching body: () throws(Failure) -> Value) {
        do throws(Failure) {
            self = .done(try body())
        } catch {
            self = .failed(error)
        }
    }

    /// Makes the outcome of a change with the result `value` from the journal's outcome.
    init(_ journalOutcome: JournalOutcome, _ value: Value) {
        switch journalOutcome {
        case .durable: self = .done(value)
        case .refused(let reason): self = .refused(reason)
        case .unknown(let reason): self = .unknown(reason)
        case .late: self = .late
        }
    }
}
