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
}
