import FeedClient
import FeedModel

/// What became of a feed, in lines for a person.
struct WatchFormatter {
    private(set) var lines: [String] = []

    /// Lines for the items of one change.
    private static let itemLimit = 20
    /// Characters of an item's title.
    private static let titleLimit = 60
    private static let titles: [ExactString] = ["title", "headline", "name"]

    init(_ news: FeedNews, _ copy: FeedCopy) {
        let version = copy.token?.description ?? ""
        switch news {
        case .nothing: break
        case .gone: lines = ["\(copy.feed): no such feed"]
        case .replaced:
            let counts = [
                WatchFormatter.count(copy.snapshot.count, "item"),
                WatchFormatter.count(copy.snapshot.sections.count, "section"),
            ]
            lines = ["\(copy.feed) \(version): \(counts.joined(separator: ", "))"]
        case .changes(let changes):
            lines = ["\(copy.feed) \(version): \(WatchFormatter.summary(changes))"]
            addItems(changes, copy.snapshot)
        }
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
            let names = update.edit.set.map(\.name.string) + update.edit.unset.map(\.string)
            return "~ \(update.id)\(title(update.id)) (\(names.joined(separator: ", ")))"
        }
        lines += items.prefix(WatchFormatter.itemLimit).map { "  " + WatchFormatter.shown($0) }
        if items.count > WatchFormatter.itemLimit {
            lines.append("  … and \(items.count - WatchFormatter.itemLimit) more")
        }
    }

    private static func summary(_ changes: Changes) -> String {
        let parts = [
            (changes.insertedItems.count, "inserted"), (changes.removedItems.count, "removed"),
            (changes.movedItems.count, "moved"), (changes.updatedItems.count, "updated"),
        ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        let sections =
            changes.removedSections.count + changes.insertedSections.count
            + changes.movedSections.count + changes.updatedSections.count
        let words = parts + (sections > 0 ? ["\(count(sections, "section")) changed"] : [])
        return words.isEmpty ? "only the feed's own members changed" : words.joined(separator: ", ")
    }

    /// What an item is called, after two spaces; nothing if it has no name.
    private static func title(_ item: FeedItem) -> String {
        let members = item.members
        guard let text = titles.lazy.compactMap({ members[$0]?.stringValue }).first else {
            return ""
        }
        return "  " + (text.count > titleLimit ? text.prefix(titleLimit - 1) + "…" : text)
    }

    /// A text that a terminal shows and does not obey, on one line.
    private static func shown(_ text: String) -> String {
        var shown = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator: shown.append("\u{FFFD}")
            default: shown.append(scalar)
            }
        }
        return String(shown)
    }

    private static func count(_ number: Int, _ noun: String) -> String {
        number == 1 ? "1 \(noun)" : "\(number) \(noun)s"
    }
}
