import FeedUI
import Foundation
import Testing

/// What a table does while it moves, or a finger is on it, and rows come and go.
@Suite @MainActor struct MovingTables {
    /// Names in one section.
    private final class Source: TableViewDataSource, TableViewDelegate {
        var names: [String]
        var chosen: [String] = []
        var tops: [Double] = []

        init(_ names: [String]) { self.names = names }

        func tableView(_ tableView: TableView, numberOfRowsInSection section: Int) -> Int {
            names.count
        }

        func tableView(_ tableView: TableView, cellForRowAt path: IndexPath) -> TableViewCell {
            let cell = tableView.dequeueReusableCell(withIdentifier: "row", for: path)
            cell.text = names[path[1]]
            return cell
        }

        func tableView(_ tableView: TableView, didSelectRowAt path: IndexPath) {
            chosen.append(names[path[1]])
        }

        func scrollViewDidScrollToTop(_ scrollView: ScrollView) {
            tops.append(scrollView.contentOffset.y)
        }
    }

    private let window = Window(frame: CGRect(x: 0, y: 0, width: 320, height: 440))
    private let table = TableView(frame: CGRect(x: 0, y: 0, width: 320, height: 440))
    private let source = Source((0..<40).map { "\($0)" })

    init() throws {
        window.addSubview(table)
        try table.setDataSource(source)
        table.delegate = source
    }

    /// Puts a view of pages in the table's place.
    private func pages(_ size: CGSize) -> ScrollView {
        let view = ScrollView(frame: CGRect(x: 0, y: 0, width: 320, height: 400))
        view.contentSize = size
        view.isPagingEnabled = true
        table.removeFromSuperview()
        window.addSubview(view)
        return view
    }

    private func advance(_ milliseconds: Int) {
        window.advance(to: window.time + .milliseconds(milliseconds))
    }

    private func rest() { while !window.isAtRest { advance(16) } }

    private func drag(from start: Double, by way: Double) {
        window.touchDown(at: CGPoint(x: 100, y: start))
        for part in 1...5 {
            window.touchMove(to: CGPoint(x: 100, y: start + way * Double(part) / 5))
            advance(16)
        }
        advance(200)
        window.touchUp(at: CGPoint(x: 100, y: start + way))
    }

    /// How far a row is below the table's top.
    private func distance(_ name: String) -> Double? {
        source.names.firstIndex(of: name).map {
            table.rectForRow(at: [0, $0]).minY - table.contentOffset.y
        }
    }

    @Test func rowsThatComeDuringABounceLeaveItWhereItIs() throws {
        table.keepsPositionAtTop = true
        drag(from: 100, by: 150)
        #expect(table.contentOffset.y < -20)
        let before = try #require(distance("0"))
        source.names.insert(contentsOf: (0..<10).map { "new \($0)" }, at: 0)
        try table.insertRows(at: (0..<10).map { [0, $0] })
        #expect(abs((distance("0") ?? 0) - before) < 0.01)
        advance(16)
        #expect(abs((distance("0") ?? 0) - before) < 20)
        rest()
        #expect(distance("0") == 0)
    }

    @Test func whereAllRowsInSightGoThoseBeforeStayInTheirPlace() throws {
        table.setContentOffset(CGPoint(x: 0, y: 44 * 20))
        let before = try #require(distance("15"))
        source.names.removeSubrange(20...)
        source.names.insert(contentsOf: (0..<5).map { "new \($0)" }, at: 0)
        source.names.append(contentsOf: (0..<30).map { "later \($0)" })
        try table.performBatchUpdates {
            try table.deleteRows(at: (20..<40).map { [0, $0] })
            try table.insertRows(at: (0..<5).map { [0, $0] } + (25..<55).map { [0, $0] })
        }
        #expect(distance("15") == before)
    }

    @Test(arguments: [20, 120])
    func aFingerChoosesNoRowThatTookThePlaceOfItsOwn(milliseconds: Int) throws {
        window.touchDown(at: CGPoint(x: 100, y: 44 * 3 + 10))
        advance(milliseconds)
        source.names[3] = "another"
        try table.performBatchUpdates {
            try table.deleteRows(at: [[0, 3]])
            try table.insertRows(at: [[0, 3]])
        }
        window.touchUp(at: CGPoint(x: 100, y: 44 * 3 + 10))
        #expect(source.chosen == [])
        #expect(table.visibleCells.allSatisfy { !$0.isHighlighted })
        // The next one does.
        window.touchDown(at: CGPoint(x: 100, y: 44 * 3 + 10))
        advance(milliseconds)
        window.touchUp(at: CGPoint(x: 100, y: 44 * 3 + 10))
        #expect(source.chosen == ["another"])
    }

    @Test func aFingerChoosesItsRowThoughOthersCame() throws {
        window.touchDown(at: CGPoint(x: 100, y: 44 * 3 + 10))
        advance(120)
        source.names.append("last")
        try table.insertRows(at: [[0, 40]])
        window.touchUp(at: CGPoint(x: 100, y: 44 * 3 + 10))
        #expect(source.chosen == ["3"])
    }

    @Test func aFingerThatStopsPagesLeavesThemAtOne() {
        let view = pages(CGSize(width: 320, height: 4_000))
        window.touchDown(at: CGPoint(x: 100, y: 300))
        for part in 1...5 {
            window.touchMove(to: CGPoint(x: 100, y: 300 - 50 * Double(part)))
            advance(16)
        }
        window.touchUp(at: CGPoint(x: 100, y: 50))
        advance(64)
        #expect(view.contentOffset.y > 210)
        window.touchDown(at: CGPoint(x: 100, y: 200))
        advance(64)
        window.touchUp(at: CGPoint(x: 100, y: 200))
        rest()
        #expect(view.contentOffset.y.truncatingRemainder(dividingBy: 400) == 0)
    }

    @Test func aFlickTurnsOnePage() {
        let view = pages(CGSize(width: 3_200, height: 400))
        for page in 1...2 {
            window.touchDown(at: CGPoint(x: 310, y: 100))
            for x in [200.0, 100, 10] {
                window.touchMove(to: CGPoint(x: x, y: 100))
                advance(16)
            }
            window.touchUp(at: CGPoint(x: 10, y: 100))
            rest()
            #expect(abs(view.contentOffset.x - 320 * Double(page)) < 0.01)
        }
    }

    @Test func aLastPageThatIsShorterStaysInSightWhenItIsTouched() {
        let view = pages(CGSize(width: 700, height: 400))
        view.setContentOffset(CGPoint(x: 380, y: 0))
        window.touchDown(at: CGPoint(x: 100, y: 100))
        window.touchUp(at: CGPoint(x: 100, y: 100))
        rest()
        #expect(view.contentOffset.x == 380)
    }

    @Test func theTopIsReachedThoughRowsComeAboveOnTheWay() throws {
        table.setContentOffset(CGPoint(x: 0, y: 44 * 20))
        table.scrollToTop()
        advance(100)
        source.names.insert(contentsOf: (0..<5).map { "new \($0)" }, at: 0)
        try table.insertRows(at: (0..<5).map { [0, $0] })
        rest()
        #expect(table.contentOffset.y == 0)
        #expect(source.tops == [0])
    }
}
