import FeedModel
import TestSupport
import Testing

@testable import FeedDiff

@Suite struct PatchesBetweenDocuments {
    private let encoder: DocumentEncoder

    init() throws {
        encoder = DocumentEncoder(feed: try #require(FeedName("news")))
    }

    @Test(arguments: 300..<320 as Range<UInt64>)
    func patchesBetweenDocumentsLeadToTheNewDocument(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<20 {
            let old = try DiffSamples.feed(&generator)
            let new =
                Int.random(in: 0..<6, using: &generator) == 0
                ? try DiffSamples.feed(&generator) : try DiffSamples.edited(old, &generator)
            let view =
                Bool.random(using: &generator)
                ? FeedView() : FeedView(limit: Int.random(in: 0...20, using: &generator))
            // Without the fallback to the whole document, so that every patch is tried.
            let changes = PlacedChanges(SnapshotMatching(from: view(old), to: view(new)))
            let patch = try #require(
                PatchWriter.patch(changes, from: view(old), to: view(new))
            )
            let result = try JSONPatch(parsing: patch).applied(to: view(old).snapshot.tree)
            #expect(result == view(new).snapshot.tree, "\(String(decoding: patch, as: UTF8.self))")
            let sent = encoder.patch(from: view(old), to: view(new))
            let sentResult = try JSONPatch(parsing: sent).applied(to: view(old).snapshot.tree)
            #expect(sentResult == view(new).snapshot.tree)
        }
    }

    @Test func patchesBetweenDocumentsAreEmptyBetweenEqualDocuments() throws {
        let old = try DiffSamples.feed(["s": ["a", "b"]])
        #expect(text(encoder.patch(from: old, to: old)) == "[]")
        #expect(
            text(encoder.patch(from: old, to: try DiffSamples.feed(["s": ["a", "b"]]))) == "[]"
        )
    }

    @Test func replaceTheDocumentWhenNothingIsKnown() throws {
        let new = try DiffSamples.feed(["s": ["a"]])
        let document = text(encoder.document(new))
        let whole = #"[{"op":"replace","path":"","value":\#(document)}]"#
        #expect(text(encoder.patch(from: nil, to: new)) == whole)
        let old = try DiffSamples.feed(["s": ["1", "2", "3"]])
        #expect(text(encoder.patch(from: old, to: new)) == whole)
    }

    @Test func patchesBetweenDocumentsStayWhenTheyAreAsLongAsTheDocument() throws {
        let patch = #"[{"op":"remove","path":"/pp"}]"#
        var isPatch: [Bool] = []
        for padding in 0..<20 {
            let rest = String(repeating: "-", count: padding)
            let old = try feed(#"{"pp":0,"\#(rest)":1,"sections":[]}"#)
            let new = try feed(#"{"\#(rest)":1,"sections":[]}"#)
            let byteCount = encoder.document(new).count
            isPatch.append(text(encoder.patch(from: old, to: new)) == patch)
            #expect(isPatch.last == (patch.utf8.count <= byteCount))
        }
        #expect(isPatch.contains(true) && isPatch.contains(false))
    }

    @Test func patchesBetweenDocumentsNameEachStepAtItsPlace() throws {
        let filler = String(repeating: "long enough to be worth a patch ", count: 40)
        let old = try feed(
            """
            {"t":1,"filler":"\(filler)","sections":[{"id":"gone","items":[{"id":"x"},{"id":"m"}]},
            {"id":"s","items":[{"id":"a"},{"id":"b","v":1,"w~/":2},{"id":"c"}]},{"id":"u"}]}
            """
        )
        let new = try feed(
            """
            {"filler":"\(filler)","sections":[{"id":"n","items":[{"id":"y"}]},{"id":"u"},
            {"id":"s","items":[{"id":"c"},{"id":"b","v":2,"q":3},{"id":"m"}]}]}
            """
        )
        #expect(
            text(encoder.patch(from: old, to: new)) == """
                [{"op":"remove","path":"/sections/1/items/0"},\
                {"op":"add","path":"/sections/0","value":{"id":"n","items":[{"id":"y"}]}},\
                {"op":"move","from":"/sections/2/items/1","path":"/sections/2/items/0"},\
                {"op":"move","from":"/sections/1/items/1","path":"/sections/2/items/2"},\
                {"op":"remove","path":"/sections/1"},\
                {"op":"move","from":"/sections/2","path":"/sections/1"},\
                {"op":"remove","path":"/t"},\
                {"op":"remove","path":"/sections/2/items/1/w~0~1"},\
                {"op":"replace","path":"/sections/2/items/1/v","value":2},\
                {"op":"add","path":"/sections/2/items/1/q","value":3}]
                """
        )
    }

    private func feed(_ json: String) throws -> ViewedSnapshot {
        FeedView()(try Snapshot(publishing: Array(json.utf8)))
    }

    private func text(_ bytes: [UInt8]) -> String {
        String(decoding: bytes, as: UTF8.self)
    }
}

@Suite struct SlotsOfAList {
    @Test func slotsPutArrivalsBehindTheirPredecessorAndBeforeWhatLeaves() throws {
        // old: a B c D (capitals leave), new: N a M c, N and M arrive
        var slots = PatchPositions(leaving: [1, 3], arriving: [0, 2])
        try #require(slots.leavingSlots.count == 2 && slots.arrivingSlots.count == 2)
        let (b, d) = (slots.leavingSlots[0], slots.leavingSlots[1])
        let (n, m) = (slots.arrivingSlots[0], slots.arrivingSlots[1])
        func indices(_ slots: PatchPositions) -> [Int] {
            [
                slots.index(old: 0), slots.index(of: b), slots.index(old: 2), slots.index(of: d),
            ]
        }
        #expect(indices(slots) == [0, 1, 2, 3])
        #expect((0..<4).map { slots.index(old: $0) } == [0, 1, 2, 3])
        #expect([slots.index(of: n), slots.index(of: m)] == [0, 1])
        slots.take(n)
        slots.take(m)
        #expect(indices(slots) == [1, 3, 4, 5])
        slots.free(b)
        slots.free(d)
        #expect([n, m].map { slots.index(of: $0) } == [0, 2])
        #expect([slots.index(old: 0), slots.index(old: 2)] == [1, 3])
    }
}
