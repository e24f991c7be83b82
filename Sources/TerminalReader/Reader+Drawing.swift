import FeedClient
import FeedModel
import FeedUI
import Foundation

/// The drawing of the reader.
extension Reader {
    /// Returns the frame to show now.
    func frame(date: Date = Date()) -> Frame {
        var frame = Frame(columns: columns, rows: rows, cells: cells)
        drawTitle(&frame, date)
        if rows > 2 { drawBody(&frame) }
        if rows > 1 { drawStatus(&frame) }
        return frame
    }

    private func drawBody(_ frame: inout Frame) {
        if showsHelp {
            drawHelp(&frame)
        } else {
            drawRows(&frame)
            drawRefresh(&frame)
            drawIndex(&frame)
        }
    }

    private func drawTitle(_ frame: inout Frame, _ date: Date) {
        var title = " " + feed.title
        if feeds.count > 1 { title += "  (\(current + 1) of \(feeds.count))" }
        let state = " \(words(feed.update, &frame, date)) "
        let width = cells.of(state)
        frame.fill(row: 0, from: 0, style: .inverse)
        frame.put(title, row: 0, width: max(0, columns - width), style: [.inverse, .bold])
        frame.put(state, row: 0, column: max(0, columns - width), style: .inverse)
    }

    private func words(_ update: FeedUpdate?, _ frame: inout Frame, _ date: Date) -> String {
        guard let update else { return "" }
        let state =
            switch update.state {
            case .idle: ""
            case .refreshing: "refreshing"
            case .live: "live"
            case .offline: "offline"
            }
        let age: String
        switch update.freshness {
        case .neverLoaded: age = update.state == .offline ? "" : "loading"
        case .current where update.state == .live: age = ""
        case .current(let then), .cached(let then): age = "as of \(frame.age(of: then, at: date))"
        case .gone(let then): age = "not on the server since \(then.formatted(.iso8601))"
        case .missing: age = "no such feed"
        }
        return [state, age].filter { !$0.isEmpty }.joined(separator: ", ")
    }

    /// The line of a place in the table.
    func row(_ top: Double) -> Int { Int((top / Reader.line).rounded()) + 1 }

    private var bodyWidth: Int { columns - (showsIndex ? indexWidth + 1 : 0) }

    /// The cells of the index: two, or up to four where a letter of it takes more.
    private var indexWidth: Int {
        table.indexBar.titles.reduce(2) { max($0, min(4, cells.of(ShownText.of($1)))) }
    }

    private var showsIndex: Bool { columns >= 10 && !table.indexBar.titles.isEmpty }

    private func drawRows(_ frame: inout Frame) {
        let headers = table.visibleHeaders
        for path in rowsInSight {
            guard let cell = table.cellForRow(at: path) else { continue }
            let row = row(table.rectForRow(at: path).minY - table.contentOffset.y)
            draw(cell, feed.marks[feed.item(path).id]?.mark, row, &frame)
        }
        for header in headers where 1..<rows - 1 ~= row(header.top) {
            frame.put(header.title, row: row(header.top), width: bodyWidth, style: .bold)
        }
        if feed.snapshot.count == 0, feed.update?.freshness != .neverLoaded {
            let text =
                feed.update?.freshness == .missing ? "There is no such feed." : "Nothing yet."
            frame.put(text, row: rows / 2, column: max(0, (columns - text.count) / 2), style: .dim)
        }
    }

    private func draw(
        _ cell: TableViewCell,
        _ mark: ReaderFeed.Mark?,
        _ row: Int,
        _ frame: inout Frame
    ) {
        var style = Frame.Style()
        var sign = "  "
        switch mark {
        case .inserted: (style, sign) = (.green, "+ ")
        case .updated: (style, sign) = (.yellow, "~ ")
        case .moved: (style, sign) = (.blue, "> ")
        case nil: break
        }
        if cell.isSelected {
            style.insert(.inverse)
            frame.put(
                String(repeating: " ", count: bodyWidth),
                row: row,
                width: bodyWidth,
                style: style
            )
        }
        let detail = cells.cut(ShownText.of(cell.detailText ?? ""), to: bodyWidth / 3)
        let width = cells.of(detail)
        let room = bodyWidth - width - (width > 0 ? 2 : 0)
        frame.put(sign, row: row, width: room, style: style)
        frame.put(
            cell.text ?? "",
            row: row,
            column: sign.count,
            width: room - sign.count,
            style: style,
            link: (cell as? ReaderCell)?.link
        )
        if width > 0 {
            let dim = style.union(.dim)
            frame.put(detail, row: row, column: bodyWidth - width - 1, style: dim)
        }
    }

    /// The room above the rows: what a pull reveals.
    private func drawRefresh(_ frame: inout Frame) {
        let room = Int((-table.contentOffset.y / Reader.line).rounded())
        guard room > 0 else { return }
        let text =
            refresh.isRefreshing
            ? "\(wheel) refreshing"
            : refresh.progress >= 1 ? "↑ let go to refresh" : "↓ pull to refresh"
        let column = max(0, (columns - cells.of(text)) / 2)
        let row = min(max(1, (room + 1) / 2), rows - 2)
        frame.put(text, row: row, column: column, style: .dim)
    }

    private var wheel: String {
        let signs = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧"]
        return signs[Int(now / .milliseconds(100)) % signs.count]
    }

    /// The letters at the right edge, as many as there is room for: on each line the one that a
    /// touch in its middle finds.
    private func drawIndex(_ frame: inout Frame) {
        let titles = table.indexBar.titles
        guard showsIndex else { return }
        let width = indexWidth
        var shown: Int?
        for row in 0..<rows - 2 {
            let index = (2 * row + 1) * titles.count / (2 * (rows - 2))
            guard index != shown else { continue }
            shown = index
            frame.put(titles[index], row: row + 1, column: columns - width, style: .blue)
        }
    }

    static let helpLines = [
        "j k, arrows     next and previous row", "space b         a screen down and up",
        "^D ^U           half a screen down and up", "g G             top and end",
        "o, Enter        open the row's address", "/ n N           search, next, previous",
        "R               refresh", "Tab             next feed",
        "wheel           scroll; past the top: refresh", "^L              draw anew",
        "?               these keys", "q               leave",
    ]

    private func drawHelp(_ frame: inout Frame) {
        let lines = Reader.helpLines
        let first = rows > lines.count + 3 ? 2 : 1
        let start = min(helpStart, max(0, lines.count - (rows - 2)))
        for (row, line) in lines.dropFirst(start).prefix(rows - 2).enumerated() {
            frame.put(line, row: row + first, column: min(4, columns / 10))
        }
    }

    private func drawStatus(_ frame: inout Frame) {
        let row = rows - 1
        if let search {
            // The end of it is where one types.
            var seen = search[...]
            while cells.of("/\(seen)█") > columns, !seen.isEmpty { seen.removeFirst() }
            return frame.put("/\(seen)█", row: row)
        }
        if let notice { return frame.put(notice.text, row: row) }
        if let problem = feed.update?.problem {
            return frame.put("\(problem)", row: row, style: .red)
        }
        if showsHelp, rows - 2 < Reader.helpLines.count {
            return frame.put("j k: more keys", row: row, style: .dim)
        }
        let above = feed.update?.newAbove ?? 0
        let new = above > 0 ? "↑ \(above) new above (g)" : ""
        frame.put("R refresh   / search   ? keys   q quit", row: row, width: columns, style: .dim)
        frame.put(new, row: row, column: max(0, columns - cells.of(new) - 1), style: .green)
    }
}
