import FeedModel
import Testing

@testable import FeedDiff

/// What was written is handed out where it stands: a copy has room for little more than itself.
@Suite struct FinishingDocuments {
    private static let capacity = 100_000

    private struct Holder {
        var writer = JSONWriter(capacity: FinishingDocuments.capacity)
    }

    private static func finish(_ writer: inout JSONWriter) -> [UInt8] {
        writer.endArray()
        return writer.finish()
    }

    private static func write(to writer: inout JSONWriter) {
        writer.beginArray()
        writer.string("a")
    }

    @Test func copiesNoneThatIsInAVariable() {
        var writer = JSONWriter(capacity: Self.capacity)
        Self.write(to: &writer)
        writer.endArray()
        let document = writer.finish()
        #expect(document == Array(#"["a"]"#.utf8))
        #expect(document.capacity >= Self.capacity)
    }

    @Test func copiesNoneThatAnotherFunctionEnds() {
        var writer = JSONWriter(capacity: Self.capacity)
        Self.write(to: &writer)
        let document = Self.finish(&writer)
        #expect(document == Array(#"["a"]"#.utf8))
        #expect(document.capacity >= Self.capacity)
    }

    @Test func copiesNoneThatIsInAMember() {
        var holder = Holder()
        Self.write(to: &holder.writer)
        let document = Self.finish(&holder.writer)
        #expect(document == Array(#"["a"]"#.utf8))
        #expect(document.capacity >= Self.capacity)
    }
}
