import Logging
import Synchronization
import Testing

@testable import freshet

/// The log's lines about pages that may not read.
@Suite struct RefusedOriginsTold {
    private final class Told: Sendable {
        let origins = Mutex<[String]>([])
    }

    private struct Handler: LogHandler {
        let told: Told
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.info

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let origin = event.metadata?["origin"].map { "\($0)" } ?? ""
            told.origins.withLock { $0.append(origin) }
        }
    }

    @Test func nameEachOriginOnceAndNotTooMany() {
        let told = Told()
        let refused = RefusedOrigins(Logger(label: "test") { _ in Handler(told: told) })
        for origin in ["https://a.example", "null", "https://a.example"] { refused.note(origin) }
        #expect(told.origins.withLock(\.self) == ["https://a.example", "null"])
        for number in 0..<500 { refused.note("https://\(number).example") }
        refused.note(String(repeating: "x", count: 5000))
        #expect(told.origins.withLock(\.count) == RefusedOrigins.limit)
    }

    @Test func cutAnOriginThatNoPageHas() {
        let told = Told()
        let refused = RefusedOrigins(Logger(label: "test") { _ in Handler(told: told) })
        refused.note(String(repeating: "x", count: 5000))
        #expect(told.origins.withLock { $0.allSatisfy { $0.count <= 300 } && $0.count == 1 })
    }
}
