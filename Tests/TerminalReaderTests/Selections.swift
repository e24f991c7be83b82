import Testing

@testable import TerminalReader

/// The row that keys are about.
@Suite @MainActor struct Selections {
    private nonisolated static let ids = (0..<100).map { "r\($0)" }

    private func trial(selecting count: Int) throws -> ReaderTrial {
        var trial = try ReaderTrial()
        try trial.show(ids: Selections.ids)
        trial.type(String(repeating: "j", count: count))
        return trial
    }

    private nonisolated static let scrolls: [(String, [TerminalInput])] = [
        ("the end", [.character("G")]), ("a page", [.character(" ")]),
        ("pages", Array(repeating: .pageDown, count: 4)),
        ("the wheel", Array(repeating: .wheel(up: false), count: 9)),
    ]

    @Test(arguments: scrolls)
    func goOnFromWhatIsSeen(_ name: String, _ scroll: [TerminalInput]) throws {
        let trial = try trial(selecting: 2)
        #expect(trial.selected == "r1")
        for input in scroll { _ = trial.reader.take(input) }
        let seen = trial.inSight
        #expect(seen.contains(try #require(trial.selected)), "after \(name)")
        trial.type("j")
        #expect(trial.selected != "r2")
        trial.type("k")
        #expect(trial.inSight.allSatisfy(seen.contains), "j or k scrolled back")
    }

    @Test func areTheEndsAtTheEnds() throws {
        let trial = try trial(selecting: 3)
        trial.type("G")
        #expect(trial.selected == "r99")
        trial.type("k")
        #expect(trial.selected == "r98")
        trial.type("g")
        #expect(trial.selected == "r0")
    }

    @Test func areNoneBeforeARowIsChosen() throws {
        let trial = try trial(selecting: 0)
        trial.type(" G g")
        #expect(trial.selected == nil)
    }

    @Test func stayOnTheScreenWhenItIsPagedBack() throws {
        let trial = try trial(selecting: 1)
        trial.type("Gbb")
        #expect(trial.inSight.last == trial.selected)
    }

    /// Rows that come at the top push it out.
    @Test func areTakenUpOnTheScreenAfterOthersCame() throws {
        var trial = try trial(selecting: 1)
        try trial.show(ids: (0..<50).map { "n\($0)" } + Selections.ids)
        #expect(trial.selected == "r0" && trial.inSight.first == "n0")
        trial.type("j")
        #expect(trial.selected == "n0")
    }

    private nonisolated static let removals: [([String], String?)] = [
        (["r3"], "r4"), (["r3", "r4", "r5"], "r6"), (Array(ids.suffix(97)), "r2"),
        (Array(ids.prefix(4)), "r4"), (ids, nil), (["r2"], "r3"),
    ]

    @Test(arguments: removals)
    func passToANeighbourOfARowThatGoes(_ gone: [String], _ next: String?) throws {
        var trial = try trial(selecting: 4)
        #expect(trial.selected == "r3")
        let gone = Set(gone)
        try trial.show(ids: Selections.ids.filter { !gone.contains($0) })
        #expect(trial.selected == next)
    }

    @Test func passOnToAnotherSection() throws {
        var trial = try ReaderTrial()
        let last = #"{"id":"c","title":"C","items":[{"id":"c0"}]}"#
        try trial.show(
            #"{"sections":[{"id":"a","items":[{"id":"a0"}]},{"id":"b","items":[{"id":"b0"}]},\#(last)]}"#
        )
        trial.type("jj")
        #expect(trial.selected == "b0")
        try trial.show(#"{"sections":[{"id":"a","items":[{"id":"a0"}]},\#(last)]}"#)
        #expect(trial.selected == "c0")
        try trial.show(#"{"sections":[{"id":"a","items":[{"id":"a0"}]}]}"#)
        #expect(trial.selected == "a0")
    }

    @Test func areNoRowsThatAHeaderCovers() throws {
        var trial = try ReaderTrial(rows: 8)
        let items = (0..<30).map { #"{"id":"r\#($0)"}"# }.joined(separator: ",")
        try trial.show(#"{"sections":[{"id":"a","title":"Head","items":[\#(items)]}]}"#)
        trial.type("j  ")
        let line = try #require(trial.lines.firstIndex { $0.contains(trial.selected ?? "none") })
        #expect(line == 2 && trial.lines[1].contains("Head"))
    }
}
