import FeedFormats
import FeedModel
import FeedUI
import Foundation

/// The item that is open for reading, in place of the list of items or beside it, and the position
/// in its text.
struct Reading {
    var article: Article
    /// The index of the first line on the screen.
    var top = 0
    /// The index of the line that the last search found.
    var found: Int?
    /// Whether the item is no longer in the feed.
    var isGone = false
    /// The part of a link's number that was typed so far, counted from 1; `nil`: no digit was
    /// typed.
    var number: Int?
}

/// Shows an item for reading: opens it, scrolls and searches its text, and follows its links.
extension Reader {
    /// The fewest columns of a screen on which the list's rows and an item are shown side by side.
    static let wideColumns = 110

    var isWide: Bool { columns >= Reader.wideColumns }

    /// The number of columns for the rows: two fifths of a wide screen.
    var listColumns: Int { isWide ? columns * 2 / 5 : columns }

    /// The columns for the item: at most 80, because longer lines are hard to read.
    var articleColumns: Range<Int> {
        let start = isWide ? listColumns + 2 : min(1, columns - 1)
        return start..<max(start + 1, min(columns - 1, start + 80))
    }

    /// Shows an item from its beginning, and marks it as read.
    func read(_ path: IndexPath) {
        let item = feed.item(path)
        let article = Article(item, width: articleColumns.count)
        reading = Reading(article: article)
        feed.markRead(item.id)
    }

    /// Opens the selected row's item for reading.
    func beginReading() {
        guard let path = table.indexPathForSelectedRow else {
            return say("no row is selected: j, k")
        }
        if reading?.article.item.id != feed.item(path).id { read(path) }
        isReading = true
    }

    func endReading() {
        isReading = false
        showSelected()
    }

    /// Shows the selected row's item beside the rows if the screen is wide enough; does nothing
    /// while an item is read.
    func showSelected() {
        guard !isReading else { return }
        guard isWide, let path = table.indexPathForSelectedRow else {
            reading = nil
            return
        }
        if reading?.article.item.id != feed.item(path).id { read(path) }
    }

    /// Shows the current version of the open item, and stays at the same position in its text.
    ///
    /// The last version stays if the item is no longer in the feed.
    func refreshReading() {
        showSelected()
        guard var reading else { return }
        let id = reading.article.item.id
        let selected = table.indexPathForSelectedRow.map { feed.item($0) }
        let item = selected?.id == id ? selected : feed.snapshot.item(id)
        reading.isGone = item == nil
        let latest = item ?? reading.article.item
        // The new text may have other links, or the same links with other numbers.
        if latest !== reading.article.item { reading.number = nil }
        if latest !== reading.article.item || reading.article.width != articleColumns.count {
            let article = Article(latest, width: articleColumns.count)
            reading.top = article.line(matching: reading.top, in: reading.article)
            reading.article = article
            reading.found = nil
        }
        self.reading = reading
        scrollArticle(by: 0)
    }

    func scrollArticle(by lines: Int) { scrollArticle(to: (reading?.top ?? 0) + lines) }

    private func scrollArticle(to line: Int) {
        let last = max(0, (reading?.article.lines.count ?? 0) - max(1, rows - 2))
        reading?.top = max(0, min(line, last))
    }

    /// Opens the next item (`step` is 1) or the one before (-1) for reading.
    private func readNext(_ step: Int) {
        var next = table.indexPathForSelectedRow
        // When the open item is removed, the table selects the next one.
        if reading?.isGone != true || step < 0 { next = next.flatMap { path(after: $0, step) } }
        guard let next else { return say("there is no other item") }
        show(next)
        read(next)
    }

    /// Handles an input while an item is read.
    ///
    /// - Returns: `false` if the input is not for the open item; the caller then handles it for the
    ///   list's rows.
    func readOn(_ input: TerminalInput) -> Bool {
        let (page, half) = (max(1, rows - 3), max(1, (rows - 2) / 2))
        let number = reading?.number
        reading?.number = nil
        switch input {
        case .character("q"), .escape, .left, .backspace: if number == nil { endReading() }
        case .character("0"..."9"):
            if case .character(let digit) = input { type(digit, after: number) }
        case .character("o"): openPage(number)
        case .enter: if number == nil { scrollArticle(by: 1) } else { openPage(number) }
        case .character("j"): readNext(1)
        case .character("k"): readNext(-1)
        case .down: scrollArticle(by: 1)
        case .up: scrollArticle(by: -1)
        case .character(" "), .pageDown, .control("f"): scrollArticle(by: page)
        case .character("b"), .pageUp, .control("b"): scrollArticle(by: -page)
        case .control("d"): scrollArticle(by: half)
        case .control("u"): scrollArticle(by: -half)
        case .character("g"), .home: scrollArticle(to: 0)
        case .character("G"), .end: scrollArticle(to: .max)
        case .wheel(let isUp): scrollArticle(by: isUp ? -3 : 3)
        case .right: break
        case .press(let column, _) where !isWide || articleColumns ~= column: break
        case .press:
            isReading = false
            return false
        default: return false
        }
        return true
    }

    /// Adds a digit to the number of a link, unless no link has the new number.
    private func type(_ digit: Character, after number: Int?) {
        let value = (number ?? 0) * 10 + (digit.wholeNumberValue ?? 0)
        let count = reading?.article.links.count ?? 0
        reading?.number = value > 0 && value <= count ? value : number
    }

    /// Asks the program to open a link of the open item by its number, counted from 1; without a
    /// number, the page of the open or selected item.
    func openPage(_ number: Int? = nil) {
        let link: String?
        if let reading {
            link = number.map { reading.article.links[$0 - 1] } ?? reading.article.page
        } else {
            guard let path = table.indexPathForSelectedRow else {
                return say("no row is selected: j, k")
            }
            link = ItemWords(feed.item(path)).link
        }
        guard let link else { return say("this item has no address") }
        guard WebAddress.isWeb(link), ShownText.link(link) != nil else {
            return say("only pages of the web are opened, not \(link)")
        }
        if let id = reading?.article.item.id ?? selectedID { feed.markRead(id) }
        commands.append(.open(link))
        say("opening \(link)")
    }

    private var selectedID: ExactString? {
        table.indexPathForSelectedRow.map { feed.item($0).id }
    }

    /// Marks the open or selected item as unread, or as read if it is unread.
    func toggleRead() {
        guard let id = reading?.article.item.id ?? selectedID else {
            return say("no row is selected: j, k")
        }
        feed.toggleRead(id)
    }

    /// Goes to the next line of the open item that contains a text, or to the one before if
    /// `isForward` is `false`.
    func findInArticle(_ text: String, isForward: Bool) {
        guard !text.isEmpty else { return say("/ searches") }
        guard let reading,
            let line = reading.article.line(
                with: text,
                after: reading.found ?? reading.top,
                isForward: isForward
            )
        else { return say("nothing has “\(text)”") }
        self.reading?.found = line
        let shown = reading.top..<reading.top + max(1, rows - 2)
        if !shown.contains(line) { scrollArticle(to: line) }
    }
}
