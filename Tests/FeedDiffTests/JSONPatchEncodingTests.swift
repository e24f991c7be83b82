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
            let changes = Changes(from: view(old), to: view(new))
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
            {"id":"s","items":[{"id":"a"},{"id":"b","v":1,"w~/":2},{"id":"c"}]},{"id":"u","w":1}]}
            """
        )
        let new = try feed(
            """
            {"filler":"\(filler)","sections":[{"id":"n","items":[{"id":"y"}]},
            {"id":"u","w":2},
            {"id":"s","items":[{"id":"c","v":9},{"id":"b","v":2,"q":3},{"id":"m"}]}]}
            """
        )
        #expect(
            text(encoder.patch(from: old, to: new)) == """
                [{"op":"remove","path":"/t"},\
                {"op":"remove","path":"/sections/1/items/1/w~0~1"},\
                {"op":"replace","path":"/sections/1/items/1/v","value":2},\
                {"op":"add","path":"/sections/1/items/1/q","value":3},\
                {"op":"remove","path":"/sections/1/items/2"},\
                {"op":"remove","path":"/sections/1/items/0"},\
                {"op":"remove","path":"/sections/2"},\
                {"op":"remove","path":"/sections/0"},\
                {"op":"add","path":"/sections/0","value":{"id":"n","items":[{"id":"y"}]}},\
                {"op":"add","path":"/sections/1","value":{"id":"u","w":2,"items":[]}},\
                {"op":"add","path":"/sections/2/items/0","value":{"id":"c","v":9}},\
                {"op":"add","path":"/sections/2/items/2","value":{"id":"m"}}]
                """
        )
    }

    /// Of two sections that change places, the one with fewer bytes is removed and added.
    @Test(arguments: [["long", "short"], ["short", "long"]])
    func patchesBetweenDocumentsHaveTheShorterOfTwoSections(ids: [String]) throws {
        let lists = [
            "long": try (0..<9).map { try DiffSamples.item(ExactString("item-\($0)")) },
            "short": [try DiffSamples.item("one")],
        ]
        let sections = ids.map { FeedSection(id: ExactString($0), items: lists[$0] ?? []) }
        let (old, new) = (Snapshot(sections: sections), Snapshot(sections: sections.reversed()))
        let patch = text(encoder.patch(from: FeedView()(old), to: FeedView()(new)))
        #expect(patch.contains(#""id":"short""#) && !patch.contains(#""id":"long""#))
        let result = try JSONPatch(parsing: Array(patch.utf8)).applied(to: old.tree)
        #expect(result == new.tree)
    }

    private func feed(_ json: String) throws -> ViewedSnapshot {
        FeedView()(try Snapshot(publishing: Array(json.utf8)))
    }

    private func text(_ bytes: [UInt8]) -> String {
        String(decoding: bytes, as: UTF8.self)
    }
}
