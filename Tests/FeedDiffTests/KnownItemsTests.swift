import FeedDiff
import FeedModel
import TestSupport
import Testing

/// Reading a feed beside an earlier version of it.
@Suite struct ReadingBesideAnEarlierVersion {
    private func read(_ text: String, beside known: Snapshot? = nil) throws -> Snapshot {
        try Snapshot(publishing: Array(text.utf8), known: known)
    }

    private func items(_ snapshot: Snapshot) -> [FeedItem] { snapshot.sections.flatMap(\.items) }

    private func feed(_ items: [String]) -> String {
        #"{"items":[\#(items.joined(separator: ","))]}"#
    }

    private func item(_ number: Int, _ value: Int = 0) -> String {
        #"{"id":"item-\#(number)","value":\#(value),"text":"a b c"}"#
    }

    @Test func sharesWhatIsTheSameWhereverItIs() throws {
        let rows = (0..<200).map { item($0) }
        let old = try read(feed(rows)).indexed()
        var changed = rows
        changed[7] = item(7, 1)
        changed.remove(at: 20)
        changed.insert(item(1000), at: 90)
        changed.append(changed.remove(at: 100))
        let new = try read(feed(changed), beside: old)
        let known = Dictionary(uniqueKeysWithValues: items(old).map { ($0.id, $0) })
        for item in items(new) {
            let isNew = item.id == "item-7" || item.id == "item-1000"
            #expect((known[item.id] === item) == !isNew, "\(item.id)")
        }
        #expect(items(new) == items(try read(feed(changed))))
    }

    @Test(arguments: [
        (#"{ "id" : "item-3" , "value":0,"text":"a b c" }"#, true),
        ("{\n\t\"id\":\"item-3\",\n\t\"value\":0,\n\t\"text\":\"a b c\"\n}", true),
        (#"{"id":"item\u002d3","value":0,"text":"a b c"}"#, false),
        (#"{"value":0,"id":"item-3","text":"a b c"}"#, false),
        (#"{"id":"item-3","value":0,"text":"a b  c"}"#, false),
        (#"{"id":"item-3","value":0.0,"text":"a b c"}"#, false),
    ])
    func anItemIsTheSameByteForByteButForWhiteSpace(_ text: String, _ isShared: Bool) throws {
        let old = try read(feed((0..<9).map { item($0) })).indexed()
        let rows = (0..<9).map { $0 == 3 ? text : item($0) }
        let new = try read(feed(rows), beside: old)
        #expect((items(new)[3] === items(old)[3]) == isShared)
        #expect(items(new)[3].json.bytes == items(try read(feed(rows)))[3].json.bytes)
        #expect(items(new)[4] === items(old)[4])
    }

    @Test func withVeryMuchWhiteSpaceItIsReadAsWell() throws {
        let space = String(repeating: "1, ", count: 10_000)
        let text = #"{"id":"x","list":[\#(space)2]}"#
        let old = try read(feed([text])).indexed()
        let new = try read(feed([text]), beside: old)
        #expect(items(new) == items(old))
    }

    @Test(arguments: 0..<40 as Range<UInt64>)
    func makesNoDifferenceToWhatIsRead(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        func sections() -> String {
            var numbers = Array(0..<Int.random(in: 0...60, using: &random))
            if Int.random(in: 0..<3, using: &random) == 0 { numbers.shuffle(using: &random) }
            let space = Bool.random(using: &random) ? " " : ""
            let parts = (0..<Int.random(in: 1...4, using: &random)).map { part in
                let rows = numbers.filter { $0 % 4 == part }.filter { _ in
                    Int.random(in: 0..<9, using: &random) > 0
                }.map { item($0, Int.random(in: 0..<8, using: &random) / 7) }
                return #"{"id":"s\#(part)",\#(space)"items":[\#(rows.joined(separator: ", "))]}"#
            }
            return #"{"sections":[\#(parts.joined(separator: ","))]}"#
        }
        var old = try read(sections())
        if seed % 4 > 0 { old = old.indexed() }
        let text = sections()
        let (plain, beside) = (try read(text), try read(text, beside: old))
        #expect(plain.sections.map(\.id) == beside.sections.map(\.id))
        for (left, right) in zip(plain.sections, beside.sections) {
            #expect(left.items.map(\.json.bytes) == right.items.map(\.json.bytes))
            #expect(left.items.map(\.id) == right.items.map(\.id))
        }
        #expect(plain.order == beside.order)
    }
}
