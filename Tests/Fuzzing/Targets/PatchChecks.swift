import FeedDiff
import FeedModel
import TestSupport

/// Patches do what a naive reading of RFC 6902 and RFC 7396 does.
enum PatchChecks {
    static func run(_ input: [UInt8]) throws(Finding) {
        guard let (first, second) = input.halves, let document = try? JSONValue(parsing: first),
            let patch = try? JSONValue(parsing: second), let naiveDocument = TestJSON(first),
            let naivePatch = TestJSON(second)
        else { return }
        let merged = MergePatch.apply(patch, to: document)
        try require(
            TestJSON(merged.text.bytes) == merging(naivePatch, into: naiveDocument),
            "merged as \(merged.text.bytes.text)"
        )
        guard let operations = try? JSONPatch(parsing: second) else { return }
        guard let patched = try? operations.applied(to: document) else {
            return
        }
        let bytes = patched.text.bytes
        try require((try? JSONValue(parsing: bytes)) == patched, "not the same: \(bytes.text)")
        let naive = try? NaivePatch.apply(naivePatch, to: naiveDocument)
        try require(naive == TestJSON(bytes), "patched as \(bytes.text)")
    }

    /// The pseudocode of RFC 7396 §2.
    private static func merging(_ patch: TestJSON, into target: TestJSON) -> TestJSON {
        guard case .object(let changes) = patch else { return patch }
        var members = target.members
        for (name, value) in changes {
            members[name] =
                value == .null ? nil : merging(value, into: members[name] ?? .null)
        }
        return .object(members)
    }
}
