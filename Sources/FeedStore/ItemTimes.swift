import FeedDiff
import FeedModel

/// The times at which items were seen: they are recorded once, before any reader gets the version;
/// items restored from a journal have their recorded times.
extension Changes {
    /// Records on new and changed items when the server saw them.
    ///
    /// - Parameters:
    ///   - old: The previous version.
    ///   - new: The next version.
    ///   - time: The time in seconds since 1970.
    func noteTimes(from old: Snapshot, to new: Snapshot, at time: Double) {
        let now = UInt32(clamping: Int(time))
        for insertion in insertedItems { insertion.item.noteTimes(first: now, changed: now) }
        for update in updatedItems {
            let first = old.item(update.id)?.seen.first
            new.item(update.id)?.noteTimes(first: first ?? now, changed: now)
        }
    }
}

extension Snapshot {
    /// Records on all items of a new feed when the server saw them.
    func noteTimes(at time: Double) {
        let now = UInt32(clamping: Int(time))
        for section in sections {
            section.items.forEachItem { $0.noteTimes(first: now, changed: now) }
        }
    }
}

extension FeedItem {
    fileprivate func noteTimes(first: UInt32, changed: UInt32) {
        if seen.changed == 0 { setSeen(first: first, changed: changed) }
    }
}
