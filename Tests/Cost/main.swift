import FeedCollation
import FeedDiff
import FeedModel
import Glibc

@_silgen_name("counted_steps") func countedSteps() -> UInt64

/// Something that is done with what a client sent, for several sizes of that.
struct Cost {
    let name: String
    /// The most steps for a byte of input and output.
    let limit: Double
    /// Prepares input of a size; the closure that it returns is what is measured, and returns the
    /// bytes of input and output.
    let prepare: (Int) throws -> () throws -> Int
}

struct Mistake: Error { let text: String }

func name(_ text: String) throws -> FeedName {
    guard let name = FeedName(text) else { throw Mistake(text: text) }
    return name
}

/// A permutation that is the same each time.
func shuffled(_ count: Int) -> [Int] {
    var (list, state) = (Array(0..<count), UInt64(count))
    for index in list.indices.reversed().dropLast() {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        list.swapAt(index, Int((state >> 33) % UInt64(index + 1)))
    }
    return list
}

func document(
    _ ids: [Int],
    id: (Int) -> String = { "i\($0)" },
    title: (Int) -> String = { "title \($0)" }
) -> [UInt8] {
    let items = ids.map { #"{"id":"\#(id($0))","title":"\#(title($0))"}"# }
    return Array(#"{"items":[\#(items.joined(separator: ","))]}"#.utf8)
}

func object(_ range: Range<Int>, _ value: String) -> [UInt8] {
    Array("{\(range.map { #""m\#($0)":\#(value)"# }.joined(separator: ","))}".utf8)
}

/// From one feed to another, written as `write` says.
func difference(
    _ old: @escaping (Int) -> [Int],
    _ new: @escaping (Int) -> [Int],
    id: @escaping (Int) -> String = { "i\($0)" },
    _ write: @escaping (DocumentEncoder, ViewedSnapshot, ViewedSnapshot) -> [UInt8]
) -> (Int) throws -> () throws -> Int {
    { count in
        let texts = [old(count), new(count)].map { document($0, id: id) }
        let feeds = try texts.map { FeedView()(try Snapshot(publishing: $0)) }
        let encoder = DocumentEncoder(feed: try name("news"))
        return { texts[0].count + texts[1].count + write(encoder, feeds[0], feeds[1]).count }
    }
}

func edits(_ edit: @escaping (Int) -> String) -> (Int) throws -> () throws -> Int {
    { count in
        let text = document(Array(0..<count))
        let feed = try Snapshot(publishing: text)
        let list = Array(
            #"{"edits":[\#((0..<count).map(edit).joined(separator: ","))]}"#.utf8
        )
        return { text.count + list.count + (try feed.applying(try Edit.list(parsing: list)).count) }
    }
}

func collation(_ title: @escaping (Int) -> String) -> (Int) throws -> () throws -> Int {
    { count in
        let text = document(shuffled(count), title: title)
        let feed = try Snapshot(publishing: text)
        guard let collation = IndexedCollation(locale: "de") else { return { text.count } }
        return { text.count + collation.recollate(feed, by: "title").sections.count }
    }
}

let forward: (Int) -> [Int] = { Array(0..<$0) }
let sevenDigits: (Int) -> [Int] = { Array(1_000_000..<1_000_000 + $0) }
let fourOfFiveReplaced: (Int) -> [Int] = { count in
    sevenDigits(count).enumerated().map { index, id in index % 5 == 4 ? id : id + 1_000_000 }
}
let changes = { (encoder: DocumentEncoder, old: ViewedSnapshot, new: ViewedSnapshot) in
    encoder.object(Changes(from: old, to: new))
}
let patch = { (encoder: DocumentEncoder, old: ViewedSnapshot, new: ViewedSnapshot) in
    encoder.patch(from: old, to: new, atAnyLength: true)
}

let costs = [
    Cost(name: "reading a feed", limit: 20) { count in
        let text = document(shuffled(count))
        return { text.count + (try Snapshot(publishing: text).count) }
    },
    Cost(name: "reading many members", limit: 25) { count in
        let text = object(0..<count, "1")
        return { text.count + (try JSONValue(parsing: text)).text.bytes.count }
    },
    Cost(
        name: "changes after a shuffle",
        limit: 20,
        prepare: difference(forward, shuffled, changes)
    ),
    Cost(
        name: "changes after all was turned round",
        limit: 20,
        prepare: difference(forward, { (0..<$0).reversed() }, changes)
    ),
    Cost(
        name: "changes to other items",
        limit: 20,
        prepare: difference(forward, { Array($0..<2 * $0) }, changes)
    ),
    Cost(
        name: "changes to four of five items with long ids that begin alike",
        limit: 20,
        prepare: difference(
            sevenDigits,
            fourOfFiveReplaced,
            id: { String(repeating: "i", count: 249) + "\($0)" },
            changes
        )
    ),
    Cost(
        name: "changes to four of five items with long ids that begin and end alike",
        limit: 20,
        prepare: difference(
            sevenDigits,
            fourOfFiveReplaced,
            id: { String(repeating: "i", count: 241) + "\($0)" + "iiiiiiii" },
            changes
        )
    ),
    Cost(name: "emptying a feed", limit: 1.5) { count in
        let text = document(shuffled(count))
        let old = try Snapshot(publishing: text).indexed()
        let body = Array(#"{"items":[]}"#.utf8)
        let encoder = DocumentEncoder(feed: try name("news"))
        return {
            let new = try Snapshot(publishing: body, known: old).following(old)
            return text.count + encoder.object(new.changes).count
        }
    },
    Cost(name: "changes of the first items of many sections", limit: 1) { count in
        let sections = (0..<count).map { #"{"id":"s\#($0)","items":[{"id":"i\#($0)"}]}"# }
        let text = Array(#"{"sections":[\#(sections.joined(separator: ","))]}"#.utf8)
        let old = try Snapshot(publishing: text).indexed()
        let list = Array(#"{"edits":[{"item":"i7","set":{"title":"other"}}]}"#.utf8)
        let new = try old.applying(try Edit.list(parsing: list))
        let encoder = DocumentEncoder(feed: try name("news"))
        return {
            let view = FeedView(limit: 10)
            let changes = Changes(from: view(old), to: view(new))
            return text.count + encoder.patch(from: view(old), to: view(new)).count
                + encoder.object(changes).count
        }
    },
    Cost(
        name: "a JSON Patch after a shuffle",
        limit: 8,
        prepare: difference(forward, shuffled, patch)
    ),
    Cost(
        name: "a JSON Patch of every other item",
        limit: 45,
        prepare: difference(forward, { stride(from: 0, to: $0, by: 2).map(\.self) }, patch)
    ),
    Cost(name: "a merge patch of all members", limit: 20) { count in
        let (target, change) = (object(0..<count, "1"), object(count / 2..<count * 3 / 2, "2"))
        let values = try (JSONValue(parsing: target), JSONValue(parsing: change))
        return {
            target.count + change.count + MergePatch.apply(values.1, to: values.0).text.bytes.count
        }
    },
    Cost(
        name: "edits that set",
        limit: 75,
        prepare: edits {
            #"{"item":"i\#($0)","set":{"title":"other"}}"#
        }
    ),
    Cost(
        name: "edits that insert at the front",
        limit: 150,
        prepare: edits {
            #"{"insert":{"id":"n\#($0)"},"at":"start"}"#
        }
    ),
    Cost(name: "the place of an error behind a long name and many others", limit: 30) { count in
        let name = String(repeating: "n", count: count)
        let deep = String(repeating: "[", count: 66) + String(repeating: "]", count: 66)
        let members = (0..<count).map { #""m\#($0)":0"# }.joined(separator: ",")
        let spaces = String(repeating: " ", count: count)
        let item = #"{"id":"b","\#(name)"\#(spaces):{\#(members),"z":\#(deep)}}"#
        let text = Array(#"{"edits":[{"insert":\#(item)}]}"#.utf8)
        return {
            do throws(DocumentError) {
                _ = try Edit.list(parsing: text)
                throw DocumentError(kind: .malformed, path: "", reason: "was read")
            } catch {
                return text.count + (error.located(in: text).place?.offset ?? 0)
            }
        }
    },
    Cost(name: "sections with an item that come and go among empty ones", limit: 150) { count in
        let feed = try Snapshot(publishing: document([]))
        let empty = (0..<count).map { #"{"insertSection":{"id":"s\#($0)"}}"# }
        let full = (0..<count).map {
            #"{"insertSection":{"id":"t","items":[{"id":"i\#($0)"}]}},{"removeSection":"t"}"#
        }
        let list = Array(#"{"edits":[\#((empty + full).joined(separator: ","))]}"#.utf8)
        return { list.count + (try feed.applying(try Edit.list(parsing: list)).sections.count) }
    },
    Cost(name: "edits that remove", limit: 120, prepare: edits { #"{"remove":"i\#($0)"}"# }),
    Cost(name: "collation", limit: 70, prepare: collation { "title \($0)" }),
    Cost(
        name: "collation of many marks",
        limit: 70,
        prepare: collation {
            "a" + String(repeating: "\u{301}\u{316}", count: 20) + "\($0)"
        }
    ),
]

/// What must be noticed, or nothing is measured here.
let quadratic = Cost(name: "something quadratic", limit: .infinity) { count in
    let text = document(shuffled(count))
    return {
        text.count
            + text.indices.reduce(0) { sum, place in
                sum + (place % 64 == 0 ? text[place...].count { $0 == 34 } & 1 : 0)
            }
    }
}

/// Whether the work for inputs of several sizes is explained by their bytes.
func check(_ cost: Cost) throws -> Bool {
    var last: UInt64?
    var isExplained = true
    for count in [500, 1000, 2000, 4000] {
        let body = try cost.prepare(count)
        let start = countedSteps()
        let bytes = try body()
        let steps = countedSteps() - start
        guard steps > 0 else { throw Mistake(text: "nothing is counted") }
        // Twice as much input may cost somewhat more than twice as much, not four times.
        let growth = last.map { Double(steps) / Double($0) } ?? 2
        let share = Double(steps) / Double(bytes)
        let isFine = growth < 2.5 && share <= cost.limit
        print(
            "\(isFine ? "" : "TOO MUCH: ")\(cost.name), \(count): \(steps) steps, \(share) a byte"
        )
        isExplained = isExplained && isFine
        last = steps
    }
    return isExplained
}

do {
    if try check(quadratic) { throw Mistake(text: "quadratic work goes unnoticed") }
    let results = try costs.map(check)
    if results.contains(false) {
        throw Mistake(text: "something costs more than its input explains")
    }
} catch {
    print("cost: \(error)")
    exit(1)
}
