import FeedClient
import FeedModel
import FeedUI
import Foundation

/// The full-screen reader without the terminal: inputs, sizes, updates and times go in, frames come
/// out.
@MainActor
final class Reader {
    /// A command to the program around the reader.
    enum Command: Equatable {
        case quit
        case refresh
        case redraw
        case open(String)
    }

    /// The height of a line in points.
    ///
    /// The refresh control takes three lines.
    static let line = 20.0
    /// The width of a column in points.
    static let column = 10.0

    let feeds: [ReaderFeed]
    private(set) var current = 0
    private(set) var columns = 80
    private(set) var rows = 24
    private let window = Window()
    let refreshControl = RefreshControl()
    /// A pull by the mouse wheel: the simulated touch, the time of the last notch, the number of
    /// notches, and whether a refresh was started; `nil`: none.
    private var pull: (point: CGPoint, time: Duration, turns: Int, hasStarted: Bool)?
    /// The number of notches after which a pull refreshes even if the window is too low to pull far
    /// enough.
    private static let pullTurns = 6
    /// The text of the search that is being typed; `nil`: none.
    private(set) var search: String?
    private(set) var lastSearch = ""
    private(set) var showsHelp = false
    /// The index of the first line of the help in sight.
    private(set) var helpStart = 0
    /// The message in the status line, and the time until which it is shown.
    private(set) var notice: (text: String, until: Duration)?
    var commands: [Command] = []
    /// The item that is read or shown beside the rows; `nil`: none.
    var reading: Reading?
    /// Whether keys concern the item that is read, and not the rows.
    var isReading = false

    init(_ feeds: [ReaderFeed]) {
        self.feeds = feeds
        refreshControl.addTarget(self, action: "refresh", for: .valueChanged)
        show(0)
    }

    var feed: ReaderFeed { feeds[current] }
    var table: TableView { feed.table }
    var now: Duration { window.time }

    /// Shows another feed.
    private func show(_ index: Int) {
        table.removeFromSuperview()
        table.refreshControl = nil
        current = index
        isReading = false
        reading = nil
        table.refreshControl = refreshControl
        window.addSubview(table)
        layout()
    }

    /// Sets the size of the screen in cells.
    func resize(columns: Int, rows: Int) {
        (self.columns, self.rows) = (max(1, columns), max(1, rows))
        layout()
    }

    private func layout() {
        window.frame = CGRect(
            x: 0,
            y: 0,
            width: Double(columns) * Reader.column,
            height: Double(rows) * Reader.line
        )
        table.frame = CGRect(
            x: 0,
            y: Reader.line,
            width: Double(listColumns) * Reader.column,
            height: Double(max(0, rows - 2)) * Reader.line
        )
        refreshReading()
    }

    /// Advances the clock, and with it animations, messages and the colors of recent changes;
    /// returns whether the frame may have changed.
    func advance(to time: Duration) -> Bool {
        let wasAtRest = window.isAtRest
        window.advance(to: time)
        var isChanged = !wasAtRest
        if let pull, time - pull.time > .milliseconds(250) {
            window.touchUp(at: pull.point)
            self.pull = nil
            isChanged = true
        }
        if let notice, notice.until <= time {
            self.notice = nil
            isChanged = true
        }
        for feed in feeds where feed.forgetMarks(at: time) { isChanged = true }
        return isChanged
    }

    /// Whether no animation and no pull is under way.
    var isAtRest: Bool { window.isAtRest && pull == nil }

    /// The time of the next change that comes without input; `nil`: none.
    var nextChange: Duration? {
        guard isAtRest else { return now + .milliseconds(50) }
        let turn: Duration? = refreshControl.isRefreshing ? now + .milliseconds(100) : nil
        return [turn, notice?.until, feed.firstMarkEnd].compactMap(\.self).min()
    }

    func say(_ text: String) {
        notice = (text, now + .seconds(4))
    }
}

/// Receives the action of the refresh control when a pull starts a refresh.
extension Reader: ActionTarget {
    func responds(to action: ActionName) -> Bool { action == "refresh" }

    func perform(_ action: ActionName, sender: Control, event: Control.Event?) {
        pull?.hasStarted = true
        commands.append(.refresh)
    }
}

/// Updates of the feeds.
extension Reader {
    /// Applies an update of a feed's rows.
    func take(_ update: TableUpdate, of index: Int) {
        feeds[index].apply(update, now: now)
        if index == current { refreshReading() }
    }

    /// Applies an update of a feed's state.
    func take(_ update: FeedUpdate, of index: Int) {
        feeds[index].update = update
    }

    /// Ends a refresh, and shows a message.
    func refreshed(_ text: String) {
        refreshControl.endRefreshing()
        say(text)
    }

    /// The id of the first item in sight; `nil` at the top of the table.
    var firstVisible: ExactString? {
        guard table.contentOffset.y > 0.5,
            let path = rowsInSight.first ?? table.indexPathsForVisibleRows.first
        else { return nil }
        return feed.item(path).id
    }

    /// The scroll positions of the feeds by name, for the next run.
    var places: [String: RestorableState] {
        var places: [String: RestorableState] = [:]
        for feed in feeds where feed.table.numberOfSections > 0 {
            places[feed.feed.name.rawValue] = feed.table.encodeRestorableState()
        }
        return places
    }
}

/// Handles input.
extension Reader {
    /// Handles an input, and returns the commands to the program around the reader.
    func take(_ input: TerminalInput) -> [Command] {
        commands = []
        if input == .control("l") {
            commands = [.redraw]
        } else if search != nil {
            edit(input)
        } else if showsHelp {
            turnHelp(input)
        } else if !isReading || !readOn(input) {
            carryOut(input)
        }
        return commands
    }

    /// Scrolls the help if it is longer than the screen; other inputs close it.
    private func turnHelp(_ input: TerminalInput) {
        let last = max(0, Reader.helpLines.count - max(0, rows - 2))
        switch input {
        case .character("j"), .down,
            .wheel(up: false) where last > 0:
            helpStart = min(helpStart + 1, last)
        case .character("k"), .up,
            .wheel(up: true) where last > 0:
            helpStart = max(helpStart - 1, 0)
        default: showsHelp = false
        }
    }

    private func carryOut(_ input: TerminalInput) {
        switch input {
        case .character("q"): commands = [.quit]
        case .character("R"), .character("r"): beginRefreshing()
        case .character("?"), .character("h"): (showsHelp, helpStart) = (true, 0)
        case .character("/"): search = ""
        case .character("n"): find(lastSearch, isForward: true)
        case .character("N"), .character("p"): find(lastSearch, isForward: false)
        case .character("o"): openPage()
        case .enter: beginReading()
        case .character("m"): toggleRead()
        case .escape: deselect()
        case .character("j"), .down: select(1)
        case .character("k"), .up: select(-1)
        case .character("g"), .home: goToTop()
        case .character("G"), .end: goToEnd()
        case .character(" "), .pageDown: scroll(page)
        case .character("b"), .pageUp: scroll(-page)
        case .control("f"): scroll(page)
        case .control("b"): scroll(-page)
        case .control("d"): scroll(max(1, (page / 2).rounded()))
        case .control("u"): scroll(-max(1, (page / 2).rounded()))
        case .paste: say("/ and then the text: searches for it")
        case .tab, .right: show((current + 1) % feeds.count)
        case .left: show((current + feeds.count - 1) % feeds.count)
        case .wheel(let isUp): wheel(isUp)
        case .press(let column, let row): press(column, row)
        default: break
        }
    }

    private func beginRefreshing() {
        guard !refreshControl.isRefreshing else { return }
        refreshControl.beginRefreshing()
        commands = [.refresh]
    }

    private func goToTop() {
        table.setContentOffset(CGPoint(x: 0, y: -table.adjustedContentInset.top))
        if table.indexPathForSelectedRow != nil { show(edge(true)) }
    }

    private func goToEnd() {
        table.setContentOffset(CGPoint(x: 0, y: table.contentSize.height))
        if table.indexPathForSelectedRow != nil { show(edge(false)) }
    }

    /// The number of lines to scroll by a page: all but one of the lines in sight.
    private var page: Double { Double(max(1, rows - 3)) }

    private func scroll(_ lines: Double) {
        var offset = table.contentOffset
        offset.y += lines * Reader.line
        table.setContentOffset(offset)
        followSelection()
    }

    /// Scrolls by a notch of the wheel.
    ///
    /// At the top, turning up pulls the refresh control, by a simulated touch.
    private func wheel(_ isUp: Bool) {
        let isAtTop = table.contentOffset.y <= -table.adjustedContentInset.top + 0.5
        guard isUp, isAtTop || pull != nil else { return scroll(isUp ? -3 : 3) }
        let start = CGPoint(x: 5, y: table.frame.minY + Reader.line / 2)
        var pull = pull ?? (point: start, time: now, turns: 0, hasStarted: false)
        if pull.turns == 0 { window.touchDown(at: start) }
        pull.point.y += 2 * Reader.line
        pull.time = now
        pull.turns += 1
        self.pull = pull
        window.touchMove(to: pull.point)
        if self.pull?.hasStarted == false, pull.turns == Reader.pullTurns { beginRefreshing() }
    }

    private func press(_ column: Int, _ row: Int) {
        if isWide, articleColumns ~= column {
            isReading = reading != nil
            return
        }
        let before = table.indexPathForSelectedRow
        let point = CGPoint(
            x: (Double(column) + 0.5) * Reader.column,
            y: (Double(row) + 0.5) * Reader.line
        )
        window.touchDown(at: point)
        window.touchUp(at: point)
        followSelection()
        showSelected()
        // A press on the selected row opens its item.
        let isOnIt =
            before.map { self.row(table.rectForRow(at: $0).minY - table.contentOffset.y) } == row
        if isOnIt, before == table.indexPathForSelectedRow { beginReading() }
    }

    private func deselect() {
        try? table.selectRow(at: nil)
        showSelected()
    }
}

/// Edits the text of a search.
extension Reader {
    private func edit(_ input: TerminalInput) {
        switch input {
        case .character(let character): search?.append(character)
        case .paste(let text): search?.append(ShownText.of(text))
        case .control("u"): search = ""
        case .backspace: if search?.popLast() == nil { search = nil }
        case .enter:
            lastSearch = search ?? ""
            search = nil
            find(lastSearch, isForward: true)
        case .escape: search = nil
        default: break
        }
    }
}
