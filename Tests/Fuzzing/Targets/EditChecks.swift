import FeedDiff
import FeedModel
import FeedStore

/// Edits together do what each of them does behind the others, or nothing.
enum EditChecks {
    static func run(_ input: [UInt8]) throws(Finding) {
        guard let (first, second) = input.halves,
            let old = try? Snapshot(publishing: first),
            let edits = try? Edit.list(parsing: second)
        else { return }
        let together = Result { () throws(EditFailure) in try old.applying(edits) }
        switch (together, oneByOne(edits, on: old)) {
        case (.success(let left), .success(let right)):
            try ChangeChecks.checkDocument(left)
            try ChangeChecks.check(from: FeedView()(old), to: FeedView()(left))
            try require(
                Changes(from: FeedView()(left), to: FeedView()(right)) == Changes(),
                "one by one they lead elsewhere"
            )
        case (.failure(let left), .failure(let right)):
            try require(
                left.index == right.index && left.kind == right.kind,
                "\(left), one by one \(right)"
            )
        case (let left, let right): throw Finding("\(left), one by one \(right)")
        }
    }

    private static func oneByOne(
        _ edits: [Edit],
        on snapshot: Snapshot
    ) -> Result<Snapshot, EditFailure> {
        var snapshot = snapshot
        for (index, edit) in edits.enumerated() {
            do throws(EditFailure) {
                snapshot = try snapshot.applying([edit])
            } catch {
                let failure = EditFailure(index: index, kind: error.kind, reason: error.reason)
                return .failure(failure)
            }
        }
        return .success(snapshot)
    }
}
