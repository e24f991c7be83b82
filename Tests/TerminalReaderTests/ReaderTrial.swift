import FeedClient
import FeedDiff
import FeedModel
import FeedUI
import Foundation
import Testing

@testable import TerminalReader

/// A reader of one feed without a terminal, and what its screen shows.
@MainActor
struct ReaderTrial {
    let reader: Reader
    private var queue = UpdateQueue()

    init(columns: Int = 60, rows: Int = 12) throws {
        let name = try #require(FeedName("news"))
        reader = Reader([ReaderFeed(Feed(name, of: InMemoryServer().service()))])
        reader.resize(columns: columns, rows: rows)
        queue.operationLimit = 100_000
    }

    /// Shows a document as the feed's next version.
    mutating func show(_ document: String) throws {
        queue.receive(try Snapshot(publishing: Array(document.utf8)))
        while let update = queue.next(isOnScreen: true) {
            reader.take(update, of: 0)
            queue.confirm()
        }
    }

    /// Shows items by their ids, in one section without a header.
    mutating func show(ids: some Sequence<String>) throws {
        let items = ids.map { #"{"id":"\#($0)","title":"\#($0)"}"# }
        try show(#"{"items":[\#(items.joined(separator: ","))]}"#)
    }

    /// Types characters, each a key.
    @discardableResult
    func type(_ keys: String) -> [Reader.Command] {
        keys.flatMap { reader.take(.character($0)) }
    }

    /// The text of the screen's lines, without blanks at their ends.
    var lines: [String] {
        let frame = reader.frame()
        return frame.lines.map { runs in
            var cells = Array(repeating: " ", count: frame.columns)
            for run in runs {
                var column = run.column
                for character in run.text {
                    let width = CellWidth.of(character).cells
                    guard column + width <= cells.count else { break }
                    for cell in column..<column + width { cells[cell] = "" }
                    if width > 0 { cells[column] = String(character) }
                    column += width
                }
            }
            return String(cells.joined().reversed().drop { $0 == " " }.reversed())
        }
    }

    /// The id of the selected row.
    var selected: String? {
        reader.table.indexPathForSelectedRow.map { reader.feed.item($0).id.string }
    }

    /// The ids of the rows that can be seen.
    var inSight: [String] { reader.rowsInSight.map { reader.feed.item($0).id.string } }
}
