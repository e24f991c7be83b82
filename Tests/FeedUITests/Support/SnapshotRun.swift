import FeedModel
import Foundation
import TestSupport
import Testing

@testable import FeedUI

/// Carries out a case about a snapshot.
struct SnapshotRun {
    typealias Snapshot = DiffableDataSourceSnapshot<String, String>

    private(set) var snapshot = Snapshot()

    init(_ sections: TestJSON?) throws {
        for section in VectorSection.list(sections) {
            try snapshot.appendSections([section.id])
            try snapshot.appendItems(section.rows, toSection: section.id)
        }
    }

    mutating func perform(_ step: TestJSON, _ name: String) {
        let refusals = step["refused"]?.strings
        do {
            if let call = step["call"]?.list { try perform(call) }
            if refusals != nil { Issue.record("\(name) was not refused") }
        } catch {
            for word in refusals ?? ["nothing is refused here"] where !"\(error)".contains(word) {
                Issue.record("\(name): \(error), without \(word)")
            }
        }
        for (member, expected) in step["expect"]?.members ?? [:] {
            expect(member.string, expected, name)
        }
    }

    private mutating func perform(_ call: [TestJSON]) throws {
        let ids = call.dropFirst().first?.strings ?? []
        let id = call.dropFirst().first?.string ?? ""
        let other = call.count > 2 ? call[2] : .null
        let (before, after) = (other["before"]?.string, other["after"]?.string)
        switch (call[0].string, before, after) {
        case ("appendSections", _, _): try snapshot.appendSections(ids)
        case ("appendItems", _, _): try snapshot.appendItems(ids, toSection: other.string)
        case ("insertSections", let before?, _):
            try snapshot.insertSections(ids, beforeSection: before)
        case ("insertSections", _, let after?):
            try snapshot.insertSections(ids, afterSection: after)
        case ("insertItems", let before?, _): try snapshot.insertItems(ids, beforeItem: before)
        case ("insertItems", _, let after?): try snapshot.insertItems(ids, afterItem: after)
        case ("moveSection", let before?, _):
            try snapshot.moveSection(id, beforeSection: before)
        case ("moveSection", _, let after?): try snapshot.moveSection(id, afterSection: after)
        case ("moveItem", let before?, _): try snapshot.moveItem(id, beforeItem: before)
        case ("moveItem", _, let after?): try snapshot.moveItem(id, afterItem: after)
        case ("deleteSections", _, _): try snapshot.deleteSections(ids)
        case ("deleteItems", _, _): try snapshot.deleteItems(ids)
        case ("deleteAllItems", _, _): snapshot.deleteAllItems()
        case ("reloadItems", _, _): try snapshot.reloadItems(ids)
        case ("reconfigureItems", _, _): try snapshot.reconfigureItems(ids)
        case ("reloadSections", _, _): try snapshot.reloadSections(ids)
        default: Issue.record("no method \(call)")
        }
    }

    private func expect(_ member: String, _ expected: TestJSON, _ step: String) {
        switch member {
        case "sections":
            let actual = snapshot.sectionIdentifiers.map { id in
                VectorSection(id: id, title: nil, rows: snapshot.itemIdentifiers(inSection: id))
            }
            #expect(actual == VectorSection.list(expected), "\(step)")
        case "items": #expect(snapshot.itemIdentifiers == expected.strings, "\(step)")
        case "numberOfItems": #expect(snapshot.numberOfItems == expected.int, "\(step)")
        case "numberOfSections": #expect(snapshot.numberOfSections == expected.int, "\(step)")
        case "indexOfItem":
            for (id, index) in expected.members {
                #expect(snapshot.indexOfItem(id.string) ?? -1 == index.number.map { Int($0) })
            }
        case "indexOfSection":
            for (id, index) in expected.members {
                #expect(snapshot.indexOfSection(id.string) ?? -1 == index.number.map { Int($0) })
            }
        case "sectionOf":
            for (id, section) in expected.members {
                #expect(snapshot.sectionIdentifier(containingItem: id.string) == section.string)
            }
        case "reloaded": #expect(snapshot.reloadedItemIdentifiers.sorted() == expected.strings)
        case "reconfigured":
            #expect(snapshot.reconfiguredItemIdentifiers.sorted() == expected.strings)
        case "reloadedSections":
            #expect(snapshot.reloadedSectionIdentifiers.sorted() == expected.strings)
        default: Issue.record("no member \(member)")
        }
    }

    static func compare(
        _ old: Snapshot,
        _ new: Snapshot,
        _ expected: TestJSON?,
        _ step: String
    ) throws {
        func item(_ path: IndexPath, of snapshot: Snapshot) -> String {
            let section = snapshot.sectionIdentifiers[path[0]]
            return snapshot.itemIdentifiers(inSection: section)[path[1]]
        }
        let updates = SnapshotDifference(from: old, to: new).updates
        let actual = [
            "inserted": updates.insertedRows.map { item($0, of: new) },
            "deleted": updates.deletedRows.map { item($0, of: old) },
            "moved": updates.movedRows.map { item($0.to, of: new) },
            "insertedSections": updates.insertedSections.map { new.sectionIdentifiers[$0] },
            "deletedSections": updates.deletedSections.map { old.sectionIdentifiers[$0] },
            "movedSections": updates.movedSections.map { new.sectionIdentifiers[$0.to] },
        ]
        for (member, value) in try #require(expected).members {
            #expect(actual[member.string]?.sorted() == value.strings, "\(step): \(member)")
        }
    }
}
