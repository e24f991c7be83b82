import FeedClient
import FeedModel
import FeedUI
import Foundation

/// The reader on a full screen, without a terminal: keys, sizes, updates and time in, frames out.
@MainActor
final class Reader {
    /// A command that a key gives to the program around the reader.
    enum Command: Equatable {
        case quit
        case refresh
        case redraw
        case open(String)
    }

    /// The points of a line; a control that is pulled has room for three.
    static let line = 20.0
    /// The points of a column.
    static let column = 10.0

    let feeds: [ReaderFeed]
    private(set) var current = 0
    private(set) var table = TableView()
    private(set) var columns = 80
    private(set) var rows = 24
    /// How the terminal counts cells.
    var cells = CellWidth()
    private let window = Window()
    private let refreshControl = RefreshControl()
    private let pullTarget = PullTarget()
    private var tables: [Int: TableView] = [:]
    /// A pull by the wheel: its place, when it was last turned and how often, and whether it
    /// started a refresh.
    private var pull: (point: CGPoint, time: Duration, turns: Int, hasStarted: Bool)?
    /// The turns after which a pull refreshes in a window that has no room for it to get so far.
    private static let pullTurns = 6
    private(set) var search: String?
    private(set) var lastSearch = ""
    private(set) var showsHelp = false
    /// The first line of it that is seen.
    private(set) var helpStart = 0
    /// Something to say for a moment.
    private(set) var notice: (text: String, until: Duration)?
    var commands: [Command] = []
    /// The item that is read, or shown beside the rows.
    var reading: Reading?
    /// Whether keys are about it, rather than about rows.
    var isReading = false

    init(_ feeds: [ReaderFeed]) {
        self.feeds = feeds
        pullTarget.action = { [weak self] in
            self?.pull?.hasStarted = true
            self?.commands.append(.refresh)
        }
        refreshControl.addTarget(pullTarget, action: "refresh", for: .valueChanged)
        show(0)
    }

    var feed: ReaderFeed { feeds[current] }
    var now: Duration { window.time }

    /// The refresh control's state, for drawing.
    var refresh: RefreshControl { refreshControl }

    /// Shows another feed.
    private func show(_ index: Int) {
        table.removeFromSuperview()
        table.refreshControl = nil
        current = index
        isReading = false
        reading = nil
        let table = tables[index] ?? makeTable(index)
        tables[index] = table
        self.table = table
        table.refreshControl = refreshControl
        window.addSubview(table)
        layout()
    }

    private func makeTable(_ index: Int) -> TableView {
        let table = TableView()
        (table.rowHeight, table.sectionHeaderHeight) = (Reader.line, Reader.line)
        table.register(ReaderCell.self, forCellReuseIdentifier: "row")
        try? table.setDataSource(feeds[index])
        return table
    }

    /// Takes a terminal's size.
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

    /// Lets time pass.
    ///
    /// - Returns: Whether something may look otherwise.
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

    /// Whether it moves by itself.
    var isAtRest: Bool { window.isAtRest && pull == nil }

    /// When something looks otherwise by itself; `nil`: not before something happens.
    var nextChange: Duration? {
        guard isAtRest else { return now + .milliseconds(50) }
        let turn: Duration? = refreshControl.isRefreshing ? now + .milliseconds(100) : nil
        return [turn, notice?.until, feed.firstMarkEnd].compactMap(\.self).min()
    }

    func say(_ text: String) {
        notice = (text, now + .seconds(4))
    }
}

/// The updates that come from feeds.
extension Reader {
    /// Takes what a feed shows now.
    func take(_ update: TableUpdate, of index: Int) {
        guard let table = tables[index] ?? (index == current ? self.table : nil) else {
            let table = makeTable(index)
            tables[index] = table
            return take(update, of: index)
        }
        feeds[index].apply(update, to: table, now: now)
        if let place = feeds[index].place, !feeds[index].snapshot.sections.isEmpty {
            feeds[index].place = nil
            table.decodeRestorableState(place)
        }
        if index == current { refreshReading() }
    }

    /// Takes how a feed stands.
    func take(_ update: FeedUpdate, of index: Int) {
        feeds[index].update = update
    }

    /// A refresh is over.
    func refreshed(_ text: String) {
        refreshControl.endRefreshing()
        say(text)
    }

    /// The first item that is seen; `nil` at the top.
    var firstVisible: ExactString? {
        guard table.contentOffset.y > 0.5,
            let path = rowsInSight.first ?? table.indexPathsForVisibleRows.first
        else { return nil }
        return feed.item(path).id
    }

    /// Where each feed is, for the next run.
    var places: [String: RestorableState] {
        var places: [String: RestorableState] = [:]
        for (index, table) in tables where table.numberOfSections > 0 {
            places[feeds[index].feed.name.rawValue] = table.encodeRestorableState()
        }
        return places
    }
}

/// Input.
extension Reader {
    /// Takes what a person does.
    ///
    /// - Returns: The commands to the program around the reader.
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

    /// Scrolls where not all of it is seen, or closes it.
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

    /// The lines of a page: all but one of what is seen.
    private var page: Double { Double(max(1, rows - 3)) }

    private func scroll(_ lines: Double) {
        var offset = table.contentOffset
        offset.y += lines * Reader.line
        table.setContentOffset(offset)
        followSelection()
    }

    /// At the top the wheel pulls, as a finger does.
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
        // A second press on a row opens it.
        let isOnIt =
            before.map { self.row(table.rectForRow(at: $0).minY - table.contentOffset.y) } == row
        if isOnIt, before == table.indexPathForSelectedRow { beginReading() }
    }

    private func deselect() {
        try? table.selectRow(at: nil)
        showSelected()
    }
}

/// Search.
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
