import FeedDiff
import FeedModel

/// When items were seen: noted once, before anybody reads the version that they are in. What a
/// journal gives back has its times.
extension Changes {
    /// Notes on new and changed items when the server saw them.
    ///
    /// - Parameters:
    ///   - old: The version before.
    ///   - new: The next one.
    ///   - time: Seconds since 1970.
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
    /// The same for all items of a feed that was not known.
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
