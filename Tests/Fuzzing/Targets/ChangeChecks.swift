import FeedDiff
import FeedModel
import TestSupport

/// Changes lead from any document to any other, whoever applies them.
enum ChangeChecks {
    static func run(_ input: [UInt8]) throws(Finding) {
        guard let (first, second) = input.halves, let old = try? Snapshot(publishing: first),
            let new = try? Snapshot(publishing: second)
        else { return }
        for snapshot in [old, new] { try checkDocument(snapshot) }
        let limit = Int(input.seed % 5)
        for view in [FeedView(), FeedView(limit: limit)] {
            try check(from: view(old), to: view(new))
        }
    }

    /// What is written of a feed is read as the same feed.
    static func checkDocument(_ snapshot: Snapshot) throws(Finding) {
        let encoder = try encoder()
        let document = encoder.document(FeedView()(snapshot))
        guard let again = try? Snapshot(publishing: document) else {
            throw Finding("not a document any more: \(document.text)")
        }
        let written = encoder.document(FeedView()(again))
        try require(written == document, "\(document.text) became \(written.text)")
    }

    /// Checks what leads from one to the other, as a client of ours and a naive one apply it.
    static func check(from old: ViewedSnapshot, to new: ViewedSnapshot) throws(Finding) {
        let encoder = try encoder()
        let changes = Changes(from: old, to: new)
        guard let applied = try? old.snapshot.applying(changes) else {
            throw Finding("cannot be applied: \(changes)")
        }
        let wanted = try naive(new)
        let reached = try naive(FeedView()(applied))
        try require(reached == wanted, "changes lead elsewhere: \(changes)")
        var client = try naive(old)
        guard let object = TestJSON(encoder.object(changes)) else {
            throw Finding("changes are no JSON")
        }
        client.apply(object)
        try require(client == wanted, "a naive client gets elsewhere: \(object.serialized)")
        try checkOrder(new, wanted, encoder)
        guard let patch = TestJSON(encoder.patch(from: old, to: new)),
            let patched = try? NaivePatch.apply(patch, to: document(old, encoder))
        else { throw Finding("the patch cannot be applied") }
        try require(patched == document(new, encoder), "the patch leads elsewhere")
    }

    private static func checkOrder(
        _ new: ViewedSnapshot,
        _ wanted: NaiveFeed,
        _ encoder: DocumentEncoder
    ) throws(Finding) {
        let token = Token(epoch: "q7x2m5kd", version: 1)
        let document = TestJSON(encoder.snapshot(new, token: token))
        try require(document?["order"]?.string == wanted.order, "order of \(wanted)")
        try require(document?["count"]?.int == wanted.itemIDs.count, "count of \(wanted)")
    }

    private static func document(_ viewed: ViewedSnapshot, _ encoder: DocumentEncoder) -> TestJSON {
        TestJSON(encoder.document(viewed)) ?? .null
    }

    private static func naive(_ viewed: ViewedSnapshot) throws(Finding) -> NaiveFeed {
        NaiveFeed(document: document(viewed, try encoder()))
    }

    private static func encoder() throws(Finding) -> DocumentEncoder {
        guard let feed = FeedName("fuzzed") else { throw Finding("no feed's name") }
        return DocumentEncoder(feed: feed)
    }
}
