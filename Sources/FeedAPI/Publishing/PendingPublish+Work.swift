import FeedModel
import FeedStore
import HTTPServer
import Synchronization

/// A publish as work for threads.
extension PendingPublish {
    /// How much work it is: its body is read, and a patch may be about the whole feed.
    var size: WorkSize {
        switch request.type {
        case .jsonPatch:
            let feed = api.store.current(request.feed)?.snapshot.itemByteCount ?? 0
            return WorkSize(byteCount: 16 * content.count + feed)
        // What edits rewrite may be much longer than they are.
        case .json where request.isPatch: return WorkSize(byteCount: 256 * content.count)
        case .json, .jsonFeed, .mergePatch: return WorkSize(byteCount: 16 * content.count)
        }
    }

    /// A step that runs on a thread.
    func step(
        holding byteCount: Int,
        _ run: @escaping @Sendable () -> Void,
        refuse: @escaping @Sendable () -> Void
    ) -> QueuedWork {
        QueuedWork(
            flow: request.flow,
            time: api.work.publishes(.small).now,
            byteCount: byteCount,
            isWanted: isWanted,
            run: run,
            refuse: refuse
        )
    }

    /// Counts it among those that wait for the journal, unless it is; or refuses it.
    func beginKeeping() -> Bool {
        if progress.withLock(\.isUndecided) { return true }
        guard api.undecided.begin(content.count) else {
            api.work.refusals.note(.publish)
            respond(.publishesOverload)
            return false
        }
        progress.withLock { $0.isUndecided = true }
        return true
    }

    /// Takes note that it has its answer.
    func endKeeping() {
        let wasUndecided = progress.withLock { progress in
            defer { progress.isUndecided = false }
            return progress.isUndecided
        }
        if wasUndecided { api.undecided.end(content.count) }
    }

    /// Whether to go on.
    ///
    /// A client that has closed its side of the connection still wants what it asked for done, but
    /// for a dry run. What was tried once is tried to its end.
    private func isWanted(presumesLeft: Bool) -> Bool {
        progress.withLock(\.start) != nil
            || responder.isWanted(presumesLeft: presumesLeft && request.isDryRun)
    }
}
