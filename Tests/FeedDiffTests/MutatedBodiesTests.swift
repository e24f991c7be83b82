import FeedDiff
import FeedModel
import TestSupport
import Testing

@Suite struct MutatedBodies {
    @Test(arguments: UInt64(300)..<310)
    func neverTrap(seed: UInt64) throws {
        var random = RandomJSON(seed: seed)
        let items = #"{"id":"a","kind":"k","x":[1,{"y":"é😀\u00e9"}]},{"id":"b"}"#
        let documents = [
            "{\"title\":\"T\",\"sections\":[{\"id\":\"s\",\"items\":[\(items)]}],\"maxAge\":3}",
            "{\"items\":[\(items)],\"collate\":{\"by\":\"x\",\"locale\":\"ko\"}}",
            #"[{"op":"add","path":"/a~1b","value":{"c":[]}},{"op":"move","from":"/x","path":""}]"#,
        ]
        for document in documents {
            for _ in 0..<500 {
                let bytes = random.mutation(of: Array(document.utf8))
                _ = try? Snapshot(publishing: bytes)
                let patch = try? JSONPatch(parsing: bytes)
                _ = try? patch?.applied(to: .object([]))
            }
        }
    }
}
