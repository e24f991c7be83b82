import FeedUI
import Foundation
import Testing

/// What tables and scroll views do where others change them meanwhile, and without a window.
@Suite @MainActor struct TableUpdating {
    /// Numbers in one section.
    private final class Source: TableViewDataSource, TableViewDelegate {
        var count: Int
        var whenDisplayed: (() -> Void)?
        var whenMade: (() -> Void)?

        init(_ count: Int) { self.count = count }

        func tableView(_ tableView: TableView, numberOfRowsInSection section: Int) -> Int { count }

        func tableView(_ tableView: TableView, cellForRowAt path: IndexPath) -> TableViewCell {
            let cell = tableView.dequeueReusableCell(withIdentifier: "row", for: path)
            cell.text = "\(path[1])"
            if path[1] == count - 1 { whenMade.take()?() }
            return cell
        }

        func tableView(
            _ tableView: TableView,
            willDisplay cell: TableViewCell,
            forRowAt path: IndexPath
        ) {
            if path[1] == count - 1 { whenDisplayed.take()?() }
        }
    }

    private struct Refused: Error {}

    private static let frame = CGRect(x: 0, y: 0, width: 320, height: 480)

    private func table(_ source: Source) throws -> TableView {
        let table = TableView(frame: Self.frame)
        try table.setDataSource(source)
        table.delegate = source
        return table
    }

    /// Whether each row in sight has one cell, its own.
    private func isWhole(_ table: TableView, _ source: Source) -> Bool {
        table.numberOfRows(inSection: 0) == source.count
            && table.visibleCells.map(\.text) == (0..<source.count).map { "\($0)" }
            && table.subviews.count == source.count
    }

    @Test(arguments: [true, false])
    func aBatchDuringABatchIsCarriedOut(isWhenMade: Bool) throws {
        let source = Source(3)
        let table = try table(source)
        let append = {
            source.count += 1
            do {
                try table.insertRows(at: [[0, source.count - 1]])
            } catch {
                Issue.record(error)
            }
        }
        if isWhenMade { source.whenMade = append } else { source.whenDisplayed = append }
        source.count += 1
        try table.insertRows(at: [[0, 3]])
        #expect(source.count == 5)
        #expect(isWhole(table, source))
    }

    @Test func updatesThatFailHalfwayLeaveWhatTheSourceHas() throws {
        let source = Source(3)
        let table = try table(source)
        #expect(throws: Refused.self) {
            try table.performBatchUpdates {
                source.count = 5
                throw Refused()
            }
        }
        #expect(isWhole(table, source))
        source.count = 6
        try table.insertRows(at: [[0, 5]])
        #expect(isWhole(table, source))
    }

    @Test func withoutAWindowUpdatesAreOverAtOnce() throws {
        let source = Source(3)
        let table = try table(source)
        var finished: [Bool] = []
        source.count = 2
        try table.performBatchUpdates {
            try table.deleteRows(at: [[0, 0]])
        } completion: {
            finished.append($0)
        }
        #expect(finished == [true])
        // Those that were under way are over when the table leaves its window.
        let window = Window(frame: Self.frame)
        window.addSubview(table)
        source.count = 1
        try table.performBatchUpdates {
            try table.deleteRows(at: [[0, 0]])
        } completion: {
            finished.append($0)
        }
        #expect(finished == [true])
        table.removeFromSuperview()
        #expect(finished == [true, true])
    }

    @Test func withoutAWindowContentGoesBackToItsEndsAtOnce() throws {
        let window = Window(frame: Self.frame)
        let source = Source(30)
        let table = try table(source)
        let refresh = RefreshControl()
        table.refreshControl = refresh
        window.addSubview(table)
        refresh.beginRefreshing()
        window.advance(to: .seconds(2))
        #expect(abs(table.contentOffset.y + RefreshControl.height) < 0.01)
        table.removeFromSuperview()
        refresh.endRefreshing()
        #expect(table.contentOffset.y == 0)
        window.addSubview(table)
        #expect(table.contentOffset.y == 0 && window.isAtRest)
    }
}

/// Callbacks that scroll, or change the rows.
extension TableUpdating {
    private final class Ahead: TableViewDataSourcePrefetching {
        var whenCancelled: (() -> Void)?
        var rows: [Int] = []

        func tableView(_ tableView: TableView, prefetchRowsAt indexPaths: [IndexPath]) {
            rows += indexPaths.map { $0[1] }
        }

        func tableView(_ tableView: TableView, cancelPrefetchingForRowsAt paths: [IndexPath]) {
            whenCancelled.take()?()
        }
    }

    @Test(arguments: [true, false])
    func aCallbackThatScrollsLeavesOneCellForEachRowInSight(isWhenMade: Bool) throws {
        let source = Source(300)
        let table = try table(source)
        let scroll = { table.contentOffset.y = 44 * 100 }
        if isWhenMade { source.whenMade = scroll } else { source.whenDisplayed = scroll }
        table.contentOffset.y = 44 * 300
        #expect(table.indexPathsForVisibleRows.first == [0, 100])
        #expect(table.subviews.count == table.visibleCells.count)
        #expect(table.visibleCells.map(\.text) == (100..<111).map { "\($0)" })
    }

    @Test(arguments: [true, false])
    func aCallbackThatScrollsALittleLeavesOneCellForEachRowInSight(isWhenMade: Bool) throws {
        let source = Source(300)
        let table = try table(source)
        let scroll = { table.contentOffset.y -= 1 }
        if isWhenMade { source.whenMade = scroll } else { source.whenDisplayed = scroll }
        table.contentOffset.y = 44 * 300
        #expect(table.subviews.count == table.visibleCells.count)
        #expect(table.visibleCells.count == table.indexPathsForVisibleRows.count)
    }

    /// A widget that calls back when its touch is cancelled.
    private final class Key: Widget {
        var whenCancelled: (() -> Void)?

        override func touchesCancelled(_ touch: Touch) { whenCancelled.take()?() }
    }

    @Test(arguments: ["delete", "reload a row", "reload", "scroll"], [true, false])
    func aTouchThatARowLosesMayChangeTheRows(by change: String, reloads: Bool) throws {
        let source = Source(300)
        let table = try table(source)
        table.delaysContentTouches = false
        let window = Window(frame: Self.frame)
        window.addSubview(table)
        let key = Key(frame: CGRect(x: 0, y: 0, width: 100, height: 44))
        try #require(table.cellForRow(at: [0, 2])).addSubview(key)
        key.whenCancelled = {
            if reloads {
                source.count = 20
                table.reloadData()
            } else {
                table.contentOffset.y = 88
            }
        }
        window.touchDown(at: CGPoint(x: 50, y: 2 * 44 + 20))
        switch change {
        case "delete":
            source.count -= 1
            try table.deleteRows(at: [[0, 2]])
        case "reload a row": try table.reloadRows(at: [[0, 2]])
        case "reload":
            source.count = 50
            table.reloadData()
        default: table.contentOffset.y = 44 * 100
        }
        #expect(key.whenCancelled == nil)
        #expect(table.numberOfRows(inSection: 0) == source.count)
        let rows = table.indexPathsForVisibleRows
        #expect(table.subviews.count == rows.count && table.visibleCells.count == rows.count)
        if change != "delete" || reloads {
            #expect(table.visibleCells.map(\.text) == rows.map { "\($0[1])" })
        }
    }

    @Test func rowsThatWentWhileOthersWereCancelledAreNotNamed() throws {
        let source = Source(300)
        let table = try table(source)
        let ahead = Ahead()
        table.prefetchDataSource = ahead
        table.contentOffset.y = 44 * 20
        ahead.whenCancelled = {
            ahead.rows = []
            source.count = 30
            table.reloadData()
        }
        table.contentOffset.y = 44 * 200
        #expect(ahead.whenCancelled == nil)
        #expect(ahead.rows.allSatisfy { $0 < 30 })
    }
}

/// Where actions go, and what insets tell.
extension TableUpdating {
    private final class Screen: TableView {
        var actions: [ActionName] = []
        var insetChanges = 0

        override func responds(to action: ActionName) -> Bool { true }

        override func perform(_ action: ActionName, sender: Control, event: Control.Event?) {
            actions.append(action)
        }

        override func adjustedContentInsetDidChange() {
            super.adjustedContentInsetDidChange()
            insetChanges += 1
        }
    }

    @Test func actionsOfARefreshControlAndAnIndexFindTheirTable() {
        let screen = Screen(frame: Self.frame)
        let refresh = RefreshControl()
        screen.refreshControl = refresh
        refresh.addTarget(nil, action: "refresh", for: .valueChanged)
        refresh.sendActions(for: .valueChanged)
        screen.indexBar.addTarget(nil, action: "jump", for: .valueChanged)
        screen.indexBar.sendActions(for: .valueChanged)
        #expect(screen.actions == ["refresh", "jump"])
        screen.refreshControl = nil
        refresh.sendActions(for: .valueChanged)
        #expect(screen.actions.count == 2)
    }

    @Test func leavingTheSafeAreaOutChangesTheInset() {
        let screen = Screen(frame: Self.frame)
        screen.safeAreaInsets.top = 20
        let count = screen.insetChanges
        screen.contentInsetAdjustmentBehavior = .never
        #expect(screen.insetChanges == count + 1)
        #expect(screen.contentOffset.y == 0)
        screen.contentInsetAdjustmentBehavior = .automatic
        #expect(screen.insetChanges == count + 2)
        screen.contentInsetAdjustmentBehavior = .automatic
        #expect(screen.insetChanges == count + 2)
    }
}
