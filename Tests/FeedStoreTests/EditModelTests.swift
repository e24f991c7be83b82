import FeedDiff
import FeedModel
import StoreModel
import TestSupport
import Testing

@testable import FeedStore

@Suite struct RandomEditing {
    @Test(arguments: 0..<40 as Range<UInt64>)
    func agreesWithPlainArrays(seed: UInt64) throws {
        var draw = RandomEdits(random: SeededGenerator(seed: seed))
        var model = PlainFeed()
        var snapshot = Snapshot()
        var applied = 0
        for _ in 0..<200 {
            var next = model
            var list: [Edit] = []
            var failing: Int?
            for index in 0..<Int.random(in: 1...5, using: &draw.random) {
                list.append(try draw.edit(of: next))
                if failing == nil, !next.apply(list[index]) { failing = index }
            }
            do {
                let result = try snapshot.applying(list)
                #expect(failing == nil, "\(list)")
                #expect(PlainFeed(result) == next)
                #expect(result.count == next.parts.reduce(0) { $0 + $1.rows.count })
                (snapshot, model) = (result, next)
                applied += list.count
            } catch {
                #expect(error.index == failing, "\(error.reason), \(list)")
            }
            #expect(PlainFeed(snapshot) == model)
        }
        // Enough of both for the comparison to mean something.
        #expect(applied > 100)
        #expect(applied < 580)
    }

    @Test func manyEditsOfALargeFeed() throws {
        var random = SeededGenerator(seed: 7)
        let rows = (0..<2000).map { (number: Int) in
            PlainFeed.Row(id: "r\(number)", value: number)
        }
        var model = PlainFeed()
        model.parts = [PlainFeed.Part(id: "s", rows: rows)]
        let feed = try snapshot(model.json)
        var list: [Edit] = []
        for _ in 0..<400 {
            let (id, other) = (
                ExactString("r\(Int.random(in: 0..<2000, using: &random))"),
                ExactString("r\(Int.random(in: 0..<2000, using: &random))")
            )
            let edit: Edit =
                switch Int.random(in: 0..<3, using: &random) {
                case 0: .move(id, section: nil, at: .before(other))
                case 1: .remove(id)
                default: .replace(try item(#"{"id": "\#(id)", "v": 1}"#))
                }
            if model.apply(edit) { list.append(edit) }
        }
        #expect(list.count > 300)
        #expect(try PlainFeed(feed.applying(list)) == model)
    }
}
