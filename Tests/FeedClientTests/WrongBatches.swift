import FeedModel
import Foundation
import Testing

@testable import FeedClient

/// The table that tests updates refuses what UIKit's fail on.
@Suite struct WrongBatches {
    struct Case: CustomTestStringConvertible, Sendable {
        let name: String
        let old: String
        let new: String
        let fault: TableRules.Fault
        let batch: TableBatch

        var testDescription: String { name }

        init(
            _ name: String,
            _ old: String,
            _ new: String,
            _ fault: TableRules.Fault,
            _ make: (inout TableBatch) -> Void
        ) {
            (self.name, self.old, self.new, self.fault) = (name, old, new, fault)
            var batch = TableBatch()
            make(&batch)
            self.batch = batch
        }
    }

    private typealias Move = TableBatch.RowMove
    private typealias SectionMove = TableBatch.SectionMove

    static let cases = [
        Case("an insertion is missing", "a:1", "a:1 2", .count) { _ in },
        Case("a deletion is missing", "a:1 2", "a:1", .count) { _ in },
        Case("the wrong row goes", "a:1 2", "a:2", .order) { $0.deletedRows = [[0, 1]] },
        Case("a row comes elsewhere", "a:1 2", "a:1 2 3", .order) { $0.insertedRows = [[0, 0]] },
        Case("a row that is not there goes", "a:1", "a:1", .index) { $0.deletedRows = [[0, 1]] },
        Case("a row comes past the end", "a:1", "a:1 2", .index) { $0.insertedRows = [[0, 2]] },
        Case("a row goes twice", "a:1 2", "a:2", .twice) { $0.deletedRows = [[0, 0], [0, 0]] },
        Case("a row goes and moves", "a:1 2", "a:2", .twice) {
            $0.deletedRows = [[0, 0]]
            $0.movedRows = [Move(from: [0, 0], to: [0, 0])]
        },
        Case("two rows come to one place", "a:1", "a:1 2 3", .twice) {
            $0.insertedRows = [[0, 1], [0, 1]]
        },
        Case("a row moves and is updated", "a:1 2", "a:2 1*", .movedAndUpdated) {
            $0.movedRows = [Move(from: [0, 0], to: [0, 1])]
            $0.updatedRows = [[0, 0]]
        },
        Case("a row moves to the wrong place", "a:1 2 3", "a:3 1 2", .order) {
            $0.movedRows = [Move(from: [0, 0], to: [0, 2])]
        },
        Case("a row differs unsaid", "a:1", "a:1*", .stale) { _ in },
        Case("a title differs unsaid", "a:1", "a*:1", .stale) { _ in },
        Case("a row that moves differs unsaid", "a:1 2", "a:2 1*", .stale) {
            $0.movedRows = [Move(from: [0, 0], to: [0, 1])]
        },
        Case("a section is missing", "a:1", "a:1|b:2", .count) { _ in },
        Case("a section comes past the end", "a:1", "a:1|b:2", .index) {
            $0.insertedSections = [2]
        },
        Case("the wrong section goes", "a:1|b:2", "b:2", .order) { $0.deletedSections = [1] },
        Case("a section goes and moves", "a:1|b:2", "b:2", .twice) {
            $0.deletedSections = [0]
            $0.movedSections = [SectionMove(from: 0, to: 0)]
        },
        Case("a row goes with its section, twice", "a:1|b:2", "b:2", .rowOfChangedSection) {
            $0.deletedSections = [0]
            $0.deletedRows = [[0, 0]]
        },
        Case("a row moves out of a section that goes", "a:1|b:2", "b:2 1", .rowOfChangedSection) {
            $0.deletedSections = [0]
            $0.movedRows = [Move(from: [0, 0], to: [0, 1])]
        },
        Case("a row moves into a section that comes", "a:1 2", "a:1|b:2", .rowOfChangedSection) {
            $0.insertedSections = [1]
            $0.movedRows = [Move(from: [0, 1], to: [1, 0])]
        },
        Case("a section moves while its rows change", "a:1|b:2", "b:2|a:1 3", .rowOfChangedSection)
        {
            $0.movedSections = [SectionMove(from: 0, to: 1)]
            $0.insertedRows = [[1, 1]]
        },
        Case("sections and rows at once", "a:1|b:2", "a:1 3|b:2|c:", .sectionsAndRows) {
            $0.insertedSections = [2]
            $0.insertedRows = [[0, 1]]
        },
        Case("updates and rows at once", "a:1 2", "a:1* 2 3", .updatesAndOthers) {
            $0.updatedRows = [[0, 0]]
            $0.insertedRows = [[0, 2]]
        },
        Case("a row and its section are updated", "a:1", "a*:1*", .updatesAndOthers) {
            $0.updatedRows = [[0, 0]]
            $0.updatedSections = [0]
        },
    ]

    @Test(arguments: cases)
    func areRefused(_ wrong: Case) throws {
        let old = try TableUpdating.snapshot(wrong.old)
        let update = TableUpdate(wrong.batch, from: old, to: try TableUpdating.snapshot(wrong.new))
        var table = TableRules(old)
        #expect(throws: wrong.fault) { try table.begin(update) }
    }

    @Test func areRefusedDuringAnotherOffScreenAndOnAnotherTable() throws {
        let old = try TableUpdating.snapshot("a:1")
        let new = try TableUpdating.snapshot("a:1 2")
        var batch = TableBatch()
        batch.insertedRows = [[0, 1]]
        let update = TableUpdate(batch, from: old, to: new)
        var table = TableRules(old)
        table.isOnScreen = false
        #expect(throws: TableRules.Fault.offScreen) { try table.begin(update) }
        table.isOnScreen = true
        try table.begin(update)
        #expect(throws: TableRules.Fault.duringAnother) { try table.begin(update) }
        table.end()
        #expect(throws: TableRules.Fault.otherTable) { try table.begin(update) }
    }
}
