import Dispatch
import FeedStore
import Synchronization

/// Handles full and failing disks.
extension SQLiteJournal {
    /// Writes the deletions among some entries on a full disk, with the room of the reserve, and
    /// refuses the other entries.
    ///
    /// - Parameter failure: The failure of an attempt to write; `nil`: the disk was full before.
    func writeWithoutRoom(_ items: [JournalInbox.Item], _ failure: BatchFailure? = nil) {
        let reason = failure.map { "the disk is full: \($0.reason)" } ?? "the disk is full"
        let deletions = items.filter(\.entry.change.isDeletion)
        refuse(items.filter { !$0.entry.change.isDeletion }, reason)
        guard !deletions.isEmpty else { return }
        do throws(BatchFailure) {
            // The log is moved into the database first, which frees room in the log.
            try writer.giveUpReserve()
            finish(try writer.write(deletions))
            writer.takeBackReserve()
        } catch {
            if case .full = error.kind {
                refuse(deletions, reason)
            } else {
                tellFailure(deletions, error)
            }
        }
    }

    /// Refuses entries because the disk is full.
    private func refuse(_ items: [JournalInbox.Item], _ reason: String) {
        guard !items.isEmpty else { return }
        exchange.counts.withLock { $0.failures += 1 }
        exchange.trouble.withLock { $0.refusal = (.now, reason) }
        tell(items, .refused(reason))
    }

    func tellFailure(_ items: [JournalInbox.Item], _ failure: BatchFailure) {
        guard case .unknown(var batch) = failure.kind else {
            tell(items, .refused(failure.reason))
            fail(failure)
            return
        }
        for (item, reason) in batch.refused { tell([item], .refused(reason)) }
        batch.refused = []
        writer.undecided = (batch, failure.reason)
        fail(failure)
        guard let undecided = writer.undecided else { return }
        // Reopening the file failed, so the outcome is still unknown.
        tell(undecided.batch.written, .unknown(failure.reason))
    }

    /// Stops writing after a failure, and tries to reopen the file until that succeeds.
    ///
    /// A full disk is only counted.
    func fail(_ failure: BatchFailure) {
        exchange.counts.withLock { $0.failures += 1 }
        if case .full = failure.kind { return }
        writer.database = nil
        exchange.trouble.withLock { $0.reason = "the disk failed: \(failure.reason)" }
        retry(after: .milliseconds(250))
    }

    private func retry(after delay: DispatchTimeInterval) {
        do throws(JournalError) {
            let decided = try writer.reopen()
            exchange.counts.withLock { $0.reopenings += 1 }
            exchange.trouble.withLock { $0.reason = nil }
            if let decided { tell(decided) }
        } catch {
            exchange.trouble.withLock { $0.reason = error.description }
            guard !isClosing else { return }
            queue.asyncAfter(deadline: .now() + delay) {
                guard self.problem != nil, !self.isClosing else { return }
                self.retry(after: .seconds(2))
            }
        }
    }
}

extension JournalEntry.Change {
    /// Whether the feed is deleted, which makes the kept data smaller.
    fileprivate var isDeletion: Bool {
        if case .deletion = self { true } else { false }
    }
}
