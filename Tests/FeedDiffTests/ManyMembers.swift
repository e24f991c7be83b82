import FeedModel
import TestSupport
import Testing

@testable import FeedDiff

/// Feeds, sections and items may have 10,000 members each: little input must not have all of them
/// looked at for each of them, or for each of very many edits.
@Suite(.timeLimit(.minutes(1))) struct ManyMembers {
    private static let count = 9_999

    private static func members(_ value: String = "1") throws -> Members {
        let value = try JSONText(parsing: Array(value.utf8))
        return Members((0..<count).map { Member(name: ExactString("m\($0)"), value: value) })
    }

    private static func json(_ members: Members) -> String {
        members.list.map { #""\#($0.name)":\#(String(decoding: $0.value.bytes, as: UTF8.self))"# }
            .joined(separator: ",")
    }

    @Test func sectionsMoveInATimeThatDoesNotGrowWithTheirMembers() throws {
        let members = try Self.members()
        let sections = (0..<16).map { number in
            FeedSection(id: ExactString("s\(number)"), members: members)
        }
        let edits = (0..<16_008).map { Edit.moveSection(ExactString("s\($0 % 16)"), at: .end) }
        let moved = try Snapshot(sections: sections).applying(edits)
        #expect(moved.sections.map(\.id).first == "s8")
    }

    @Test func itemsMoveInATimeThatDoesNotGrowWithTheMembersOfTheirSection() throws {
        let items = try ["a", "b"].map { try DiffSamples.item($0) }
        let section = FeedSection(id: "s", members: try Self.members(), items: items)
        let edits = (0..<40_000).map { Edit.move($0 % 2 == 0 ? "a" : "b", section: nil, at: .end) }
        let moved = try Snapshot(sections: [section]).applying(edits)
        #expect(moved.sections[0].items.map(\.id) == ["a", "b"])
    }

    @Test func patchesSetManyMembersInATimeThatGrowsWithTheirNumber() throws {
        let encoder = DocumentEncoder(feed: try #require(FeedName("news")))
        func feed(_ value: String) throws -> ViewedSnapshot {
            let members = Self.json(try Self.members(value))
            let items = (0..<12).map { #"{"id":"i\#($0)",\#(members)}"# }.joined(separator: ",")
            let document = #"{"items":[\#(items)]}"#
            return FeedView()(try Snapshot(publishing: Array(document.utf8)))
        }
        let (old, new) = (try feed("1"), try feed("2"))
        let patch = encoder.patch(from: old, to: new, atAnyLength: true)
        let operations = try JSONValue(parsing: patch)
        guard case .array(let list) = operations else {
            Issue.record("no patch")
            return
        }
        #expect(list.count == 12 * Self.count)
        let first = #"{"op":"replace","path":"/sections/0/items/0/m0","value":2}"#
        #expect(try list[0] == JSONValue(parsing: Array(first.utf8)))
    }

    @Test func testsOfManyMembersTakeATimeThatGrowsWithTheirNumber() throws {
        let members = try Self.members()
        let feed = Snapshot(sections: [FeedSection(id: "s", members: members)]).tree
        let value = #"{"id":"s",\#(Self.json(members)),"items":[]}"#
        let test = #"{"op":"test","path":"/sections/0","value":\#(value)}"#
        let tests = Array(repeating: test, count: 6).joined(separator: ",")
        let patch = try JSONPatch(parsing: Array("[\(tests)]".utf8))
        #expect(try patch.applied(to: feed) == feed)
    }

    /// Looking a member up is as much work as there are members before it.
    @Test(arguments: ["/m9998", "/sections/0/m9998"])
    func manyTestsOfOneMemberAreTooMuchWork(_ path: String) throws {
        let members = try Self.members()
        let feed = Snapshot(members: members, sections: [FeedSection(id: "s", members: members)])
        let test = #"{"op":"test","path":"\#(path)","value":1}"#
        let tests = Array(repeating: test, count: 200).joined(separator: ",")
        let patch = try JSONPatch(parsing: Array("[\(tests)]".utf8))
        #expect(try patch.applied(to: feed) == nil)
        let error = #expect(throws: JSONPatch.Failure.self) {
            try patch.applied(to: feed.tree, workLimit: 1 << 20)
        }
        guard case .tooMuchWork = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }
}
