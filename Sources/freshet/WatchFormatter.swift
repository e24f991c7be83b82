import FeedClient
import FeedDiff
import FeedFormats
import FeedModel
import Foundation
import TerminalReader

/// Formats an update of a feed as lines for people.
struct WatchFormatter {
    private(set) var lines: [String] = []

    /// The most characters of an item's title that are shown.
    private static let titleLimit = 60

    /// Formats an update that came at a time, after which the feed is `copy`; `before` is the
    /// content before it, if there was any.
    init(_ change: FeedChange, _ copy: FeedCopy, since before: Snapshot? = nil, at time: Date) {
        let version = "\(time.formatted(.iso8601)) \(copy.feed) \(copy.token?.description ?? "")"
        switch change {
        case .unchanged: break
        case .gone:
            lines = ["\(time.formatted(.iso8601)) \(copy.feed): no such feed"]
            if let since = copy.missingSince {
                lines[0] += " since \(since.formatted(.iso8601)); what it had stays for 24 hours"
            }
        case .replaced:
            let counts = [
                copy.snapshot.count.counted("item"),
                copy.snapshot.sections.count.counted("section"),
            ]
            lines = ["\(version): \(counts.joined(separator: ", "))"]
            // A new snapshot is shown as its differences from the content before.
            if let before {
                let whole = FeedView()
                let changes = Changes(from: whole(before), to: whole(copy.snapshot))
                lines[0] += "; \(WatchFormatter.summary(changes))"
                add(changes, copy.snapshot)
            }
        case .changes(let changes):
            lines = ["\(version): \(WatchFormatter.summary(changes))"]
            add(changes, copy.snapshot)
        }
    }

    private mutating func add(_ changes: Changes, _ snapshot: Snapshot) {
        if !changes.feed.isEmpty { lines.append("  ~ feed \(WatchFormatter.names(changes.feed))") }
        var sections = changes.insertedSections.map { "+ section \($0.id)" }
        sections += changes.removedSections.map { "- section \($0)" }
        sections += changes.movedSections.map { "> section \($0.id)" }
        sections += changes.updatedSections.map {
            "~ section \($0.id) \(WatchFormatter.names($0.edit))"
        }
        lines += sections.map { "  " + ShownText.of($0) }
        addItems(changes, snapshot)
    }

    /// Returns the names of the members that an edit changes.
    private static func names(_ edit: Changes.MemberEdit) -> String {
        let names = edit.set.map(\.name.string) + edit.unset.map(\.string)
        return ShownText.of("(\(names.joined(separator: ", ")))")
    }

    private mutating func addItems(_ changes: Changes, _ snapshot: Snapshot) {
        let snapshot = snapshot.indexed()
        func title(_ id: ExactString) -> String {
            snapshot.item(id).map(WatchFormatter.title) ?? ""
        }
        var items = changes.insertedItems.map {
            "+ \($0.section)/\($0.item.id)" + WatchFormatter.title($0.item)
        }
        items += changes.removedItems.map { "- \($0)" }
        items += changes.movedItems.map { "> \($0.section)/\($0.id)" + title($0.id) }
        items += changes.updatedItems.map { update in
            "~ \(update.id)\(title(update.id)) \(WatchFormatter.names(update.edit))"
        }
        lines += items.map { "  " + ShownText.of($0) }
    }

    private static func summary(_ changes: Changes) -> String {
        let parts = [
            (changes.insertedItems.count, "inserted"), (changes.removedItems.count, "removed"),
            (changes.movedItems.count, "moved"), (changes.updatedItems.count, "updated"),
        ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        let sections =
            changes.removedSections.count + changes.insertedSections.count
            + changes.movedSections.count + changes.updatedSections.count
        let words = parts + (sections > 0 ? ["\(sections.counted("section")) changed"] : [])
        return words.isEmpty ? "only the feed's own members changed" : words.joined(separator: ", ")
    }

    /// Returns an item's title, or else the beginning of its text, after two spaces; an empty text
    /// where it has neither.
    private static func title(_ item: FeedItem) -> String {
        guard let text = item.heading else { return "" }
        return "  " + (text.count > titleLimit ? text.prefix(titleLimit - 1) + "…" : text)
    }
}
