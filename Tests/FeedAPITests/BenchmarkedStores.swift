import FeedBenchmarks
import Testing

/// A store that a benchmark measures: a read that fails does not count as one.
@Suite struct BenchmarkedStores {
    @Test(arguments: ["identity", "gzip"]) func areRead(_ coding: String) throws {
        let store = StoreBenchmark()
        try store.put("a", Array(#"{"items":[{"id":"x"}]}"#.utf8))
        for target in ["/feeds/a", "/feeds/a?limit=1", "/feeds/a?since=\(store.token(of: "a"))"] {
            try store.get(target, coding: coding)
        }
    }

    @Test(arguments: ["/feeds/none", "/none", "/feeds/a?limit=x", "/feeds/a/items/none"])
    func refuseWhatIsNotThere(_ target: String) throws {
        let store = StoreBenchmark()
        try store.put("a", Array(#"{"items":[{"id":"x"}]}"#.utf8))
        #expect(throws: (any Error).self) { try store.get(target) }
    }
}
