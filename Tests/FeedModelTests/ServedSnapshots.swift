import FeedModel
import Testing

/// Snapshots as servers write them, which are read in one pass, and in any other order.
@Suite struct ServedSnapshots {
    private static let kind = #""kind":"snapshot""#
    private static let others = [
        #""feed":"news""#, #""token":"q7x2m5kd.3""#, #""count":2"#, #""order":"6f2b6a0c""#,
        #""total":9"#, #""reason":"epoch""#, #""title":"News""#,
        #""sections":[{"id":"a","count":5,"items":[{"id":"x"},{"id":"y","n":1}]}]"#,
    ]

    private func read(_ members: [String]) throws -> ServedDocument {
        try ServedDocument(parsing: Array("{\(members.joined(separator: ","))}".utf8))
    }

    @Test func areTheSameWhateverComesFirst() throws {
        let first = try read([Self.kind] + Self.others)
        let last = try read(Self.others + [Self.kind])
        for document in [first, last] {
            guard case .snapshot(let snapshot) = document.content else {
                Issue.record("no snapshot")
                continue
            }
            #expect(snapshot.sections.map(\.id) == ["a"])
            #expect(snapshot.sections[0].items.map(\.id) == ["x", "y"])
            #expect(snapshot.members.list.map(\.name) == ["title"])
            #expect((document.feed, document.total, document.reason) == ("news", 9, "epoch"))
            #expect(document.token == Token(epoch: "q7x2m5kd", version: 3))
            #expect(document.check == first.check)
            #expect(document.sectionCounts == ["a": 5])
        }
    }

    @Test(arguments: [
        (1, #""feed":7"#), (2, #""token":"none""#), (3, #""count":-1"#), (4, #""order":"x""#),
        (8, #""sections":[{"id":"a","items":[{"id":"x"},{"id":"x"}]}]"#), (8, #""sections":7"#),
        (8, #""no":"sections""#), (4, #""order":"+6f2b6a0""#), (4, #""order":"-0000000""#),
    ])
    func areRefusedForWhatStandsInTheSamePlace(number: Int, wrong: String) throws {
        var members = Self.others
        members[number - 1] = wrong
        var faults: [String] = []
        for members in [[Self.kind] + members, members + [Self.kind]] {
            let error = #expect(throws: DocumentError.self) { try read(members) }
            faults.append(error?.path ?? "none")
        }
        #expect(faults[0] == faults[1])
    }

    /// A server keeps no deeper items, so a mirror could not read them again.
    @Test(arguments: [(63, true), (64, false)])
    func itemsAreAsDeepAsAServerKeepsThem(depth: Int, isRead: Bool) throws {
        let value = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        var members = Self.others
        members[7] = #""items":[{"id":"x","deep":\#(value)},{"id":"y"}]"#
        for members in [[Self.kind] + members, members + [Self.kind]] {
            #expect(((try? read(members)) != nil) == isRead)
        }
    }

    /// Other documents than snapshots have no content of a feed, whatever the origin adds.
    @Test(arguments: [
        #""title":5"#, #""maxAge":"x""#, #""sections":7"#, #""sections":[],"items":[]"#,
        #""items":[{"id":"x"},{"id":"x"}]"#,
    ])
    func otherDocumentsAreReadWhateverElseIsInThem(more: String) throws {
        let own = [
            #""feed":"news""#, #""token":"q7x2m5kd.3""#, #""since":"q7x2m5kd.2""#, #""count":2"#,
            #""order":"6f2b6a0c""#, #""changes":{"feed":{"set":{"title":"New"}}}"#, more,
        ]
        guard case .changes(_, let since) = try read([#""kind":"changes""#] + own).content else {
            Issue.record("no changes")
            return
        }
        #expect(since == Token(epoch: "q7x2m5kd", version: 2))
        guard case .unchanged = try read(own + [#""kind":"unchanged""#]).content,
            case .missing = try read([#""kind":"missing""#] + own).content,
            case .unreadable = try read([#""kind":"other""#] + own).content
        else {
            Issue.record("another kind")
            return
        }
    }
}
