import FeedClient
import FeedModel
import FeedUI
import Foundation

/// Draws the reader into a frame.
extension Reader {
    /// Returns the frame to show now.
    func frame(date: Date = Date()) -> Frame {
        var frame = Frame(columns: columns, rows: rows)
        drawTitle(&frame, date)
        if rows > 2 { drawBody(&frame, date) }
        if rows > 1 { drawStatus(&frame) }
        return frame
    }

    private func drawBody(_ frame: inout Frame, _ date: Date) {
        if showsHelp {
            drawHelp(&frame)
        } else if isReading, !isWide {
            drawArticle(&frame, date)
        } else {
            drawRows(&frame, date)
            drawRefresh(&frame)
            drawIndex(&frame)
            if isWide { drawArticle(&frame, date) }
        }
    }

    private func drawTitle(_ frame: inout Frame, _ date: Date) {
        var title = " " + feed.title
        if feeds.count > 1 { title += "  (\(current + 1) of \(feeds.count))" }
        let state = " \(words(feed.update, &frame, date)) "
        let width = CellWidth.of(state)
        frame.put(String(repeating: " ", count: columns), row: 0, style: .inverse)
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
            case .failed: "failed"
            }
        let age: String
        switch update.freshness {
        case .neverLoaded: age = [.offline, .failed].contains(update.state) ? "" : "loading"
        case .current where update.state == .live: age = ""
        case .current(let then), .cached(let then): age = "as of \(frame.age(of: then, at: date))"
        case .gone(let then): age = "not on the server since \(then.formatted(.iso8601))"
        case .missing: age = "no such feed"
        }
        return [state, age].filter { !$0.isEmpty }.joined(separator: ", ")
    }

    /// Returns the screen's row of a position in the table, in points from its visible top.
    func row(_ top: Double) -> Int { Int((top / Reader.line).rounded()) + 1 }

    private var bodyWidth: Int { listColumns - (showsIndex ? indexWidth + 1 : 0) }

    /// The width of the section index in cells: two, or up to four for wider titles.
    private var indexWidth: Int {
        table.indexBar.titles.reduce(2) { max($0, min(4, CellWidth.of(ShownText.of($1)))) }
    }

    private var showsIndex: Bool { columns >= 10 && !table.indexBar.titles.isEmpty }

    private func drawRows(_ frame: inout Frame, _ date: Date) {
        let headers = table.visibleHeaders
        var figures: [IndexPath: String] = [:]
        for path in rowsInSight { figures[path] = figure(of: path, &frame, date) }
        // Values and ages have a column of their own, as wide as the widest.
        let width = figures.values.reduce(0) { max($0, CellWidth.of($1)) }
        for path in rowsInSight {
            guard let cell = table.cellForRow(at: path) as? ReaderCell else { continue }
            let row = row(table.rectForRow(at: path).minY - table.contentOffset.y)
            draw(cell, feed.item(path).id, row: row, figures[path], figureWidth: width, in: &frame)
        }
        for header in headers where 1..<rows - 1 ~= row(header.top) {
            frame.put(header.title, row: row(header.top), width: bodyWidth, style: .bold)
        }
        if feed.snapshot.count == 0, feed.update?.freshness != .neverLoaded {
            let text =
                feed.update?.freshness == .missing ? "There is no such feed." : "Nothing yet."
            frame.put(
                text,
                row: rows / 2,
                column: max(0, (listColumns - text.count) / 2),
                style: .dim
            )
        }
    }

    /// Returns the value or the age of a row's item; `nil`: it has neither.
    private func figure(of path: IndexPath, _ frame: inout Frame, _ date: Date) -> String? {
        guard let words = (table.cellForRow(at: path) as? ReaderCell)?.words else { return nil }
        if let value = words.value { return CellWidth.cut(ShownText.of(value), to: bodyWidth / 3) }
        return words.date.map { CellWidth.cut(frame.age(of: $0, at: date), to: bodyWidth / 3) }
    }

    private func draw(
        _ cell: ReaderCell,
        _ id: ExactString,
        row: Int,
        _ figure: String?,
        figureWidth: Int,
        in frame: inout Frame
    ) {
        var style = Frame.Style()
        let isUnread = cell.words?.isNews == true && !feed.read.contains(id)
        var sign = isUnread ? "• " : "  "
        switch feed.marks[id]?.mark {
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
        let end = drawColumns(of: cell, row: row, figure, figureWidth: figureWidth, style, &frame)
        frame.put(sign, row: row, width: end, style: style)
        frame.put(
            cell.text ?? "",
            row: row,
            column: sign.count,
            width: end - sign.count,
            style: isUnread ? style.union(.bold) : style,
            link: cell.words?.link
        )
    }

    /// Draws the columns behind a row's title, from the right: figure and detail; returns the
    /// column at which the title ends.
    private func drawColumns(
        of cell: ReaderCell,
        row: Int,
        _ figure: String?,
        figureWidth: Int,
        _ style: Frame.Style,
        _ frame: inout Frame
    ) -> Int {
        var end = bodyWidth
        if let figure {
            let column = end - CellWidth.of(figure) - 1
            let isValue = cell.words?.value != nil
            frame.put(figure, row: row, column: column, style: isValue ? style : style.union(.dim))
        }
        if figureWidth > 0 { end -= figureWidth + 2 }
        let detail = CellWidth.cut(ShownText.of(cell.detailText ?? ""), to: bodyWidth / 3)
        let width = CellWidth.of(detail)
        // The detail is left out where the title would become too short.
        if width > 0, figureWidth == 0 || end - width >= 32 {
            frame.put(detail, row: row, column: end - width - 1, style: style.union(.dim))
            end -= width + 2
        }
        return end
    }

    /// Draws the item that is read, over the whole body or beside the rows.
    private func drawArticle(_ frame: inout Frame, _ date: Date) {
        let columns = articleColumns
        if isWide {
            let style: Frame.Style = isReading ? .blue : .dim
            for row in 1..<rows - 1 {
                frame.put("│", row: row, column: listColumns, style: style)
            }
        }
        guard let reading else {
            let text = "j, k: an item"
            let column = columns.lowerBound + max(0, (columns.count - text.count) / 2)
            return frame.put(text, row: rows / 2, column: column, style: .dim)
        }
        let article = reading.article
        for row in 1..<rows - 1 {
            let index = reading.top + row - 1
            guard article.lines.indices.contains(index) else { break }
            var end = 0
            for run in article.lines[index] {
                frame.put(
                    run.text,
                    row: row,
                    column: columns.lowerBound + run.column,
                    width: columns.count - run.column,
                    style: index == reading.found ? run.style.union(.inverse) : run.style,
                    link: run.link
                )
                end = run.column + CellWidth.of(run.text)
            }
            // An age of more than a week is not shown: the line has the date.
            if index == article.dateLine, let then = article.date, end + 2 < columns.count,
                Age(of: then, at: date).secondsLeft != nil
            {
                let age = "  " + frame.age(of: then, at: date)
                let column = columns.lowerBound + end
                frame.put(age, row: row, column: column, width: columns.count - end, style: .dim)
            }
        }
    }

    /// Draws the text of the refresh control into the room above the rows that a pull reveals.
    private func drawRefresh(_ frame: inout Frame) {
        let room = Int((-table.contentOffset.y / Reader.line).rounded())
        guard room > 0 else { return }
        let text =
            refreshControl.isRefreshing
            ? "\(wheel) refreshing"
            : refreshControl.progress >= 1 ? "↑ let go to refresh" : "↓ pull to refresh"
        let column = max(0, (listColumns - CellWidth.of(text)) / 2)
        let row = min(max(1, (room + 1) / 2), rows - 2)
        frame.put(text, row: row, column: column, style: .dim)
    }

    private var wheel: String {
        let signs = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧"]
        return signs[Int(now / .milliseconds(100)) % signs.count]
    }

    /// Draws the section index at the right edge, as far as there is room: each line has the title
    /// that a touch in its middle would select.
    private func drawIndex(_ frame: inout Frame) {
        let titles = table.indexBar.titles
        guard showsIndex else { return }
        let width = indexWidth
        var shown: Int?
        for row in 0..<rows - 2 {
            let index = (2 * row + 1) * titles.count / (2 * (rows - 2))
            guard index != shown else { continue }
            shown = index
            frame.put(titles[index], row: row + 1, column: listColumns - width, style: .blue)
        }
    }

    static let helpLines = [
        "j k, arrows     next and previous row", "space b         a screen down and up",
        "^D ^U           half a screen down and up", "g G             top and end",
        "Enter           read the row's item", "o               open its page in the browser",
        "m               unread, or read", "/ n N           search, next, previous",
        "R               refresh", "Tab             next feed",
        "wheel           scroll; past the top: refresh", "^L              draw anew",
        "?               these keys", "q               leave", "In an item:",
        "arrows space b  scroll", "j k             next and previous item",
        "1 2 … Enter     open the address of that number", "q Esc left      back to the rows",
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
            // The end of a long text stays visible, since typing goes on there.
            var seen = search[...]
            while CellWidth.of("/\(seen)█") > columns, !seen.isEmpty { seen.removeFirst() }
            return frame.put("/\(seen)█", row: row)
        }
        if let notice { return frame.put(notice.text, row: row) }
        if let problem = feed.update?.problem {
            return frame.put("\(problem)", row: row, style: .red)
        }
        if showsHelp, rows - 2 < Reader.helpLines.count {
            return frame.put("j k: more keys", row: row, style: .dim)
        }
        if let reading, isReading { return drawStatus(of: reading, &frame) }
        let above = feed.update?.newAbove ?? 0
        let new = above > 0 ? "↑ \(above) new above (g)" : ""
        frame.put("R refresh   / search   ? keys   q quit", row: row, width: columns, style: .dim)
        frame.put(new, row: row, column: max(0, columns - CellWidth.of(new) - 1), style: .green)
    }

    private func drawStatus(of reading: Reading, _ frame: inout Frame) {
        let row = rows - 1
        if let number = reading.number {
            return frame.put("address \(number): Enter opens it", row: row)
        }
        if reading.isGone {
            let text = "The feed has this item no more.   j next   q back"
            return frame.put(text, row: row, style: .yellow)
        }
        let count = reading.article.lines.count - (rows - 2)
        let part = count > 0 ? "\(reading.top * 100 / count) %" : ""
        frame.put("q back   j k other items   o browser   ? keys", row: row, style: .dim)
        frame.put(part, row: row, column: max(0, columns - part.count - 1), style: .dim)
    }
}
