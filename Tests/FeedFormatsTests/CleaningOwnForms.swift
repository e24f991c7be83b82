import FeedModel
import Testing

@testable import FeedFormats

/// Documents of the protocol's own form that are a source's.
@Suite struct CleaningOwnForms {
    private static let hostile = [
        "javascript:alert(1)", " JaVa\tscript:alert(1)", "\u{1}javascript:1", "vbscript:1",
        "data:text/html,x", "java\u{7F}script:1",
    ]

    /// Every member that is an address, of the formats, of JSON Feed or of docs/ITEMS.md.
    private static let addresses = [
        "url", "external_url", "image", "banner_image", "icon", "favicon", "home_page_url",
        "feed_url", "next_url", "avatar",
    ]

    /// All members that may run, with an address in each place for one.
    private static func members(_ address: String) -> String {
        var text: [UInt8] = []
        text.append(jsonString: address)
        let quoted = String(decoding: text, as: UTF8.self)
        let own = addresses.map { "\"\($0)\":\(quoted)" }.joined(separator: ",")
        let person = "{\"name\":\"x\",\"url\":\(quoted),\"avatar\":\(quoted)}"
        return """
            \(own),"author":\(person),"authors":[\(person)],"hubs":[{"type":"x","url":\(quoted)}],\
            "picture":{"src":\(quoted)},"links":[{"of":{"href":\(quoted)}}],\
            "attachments":[{"mime_type":"a/b","url":\(quoted)}],\
            "content_html":"<p onclick=1>y<script>1</script><a href='javascript:1'>z</a></p>"
            """
    }

    private static func cleaned(_ document: String) throws -> String {
        let reader = FeedReader(address: "https://example.com/feed")
        let feed = try reader.read(Array(document.utf8))
        return String(decoding: try #require(feed.nativeDocument), as: UTF8.self)
    }

    @Test(arguments: hostile)
    func nothingRunsAtAnyDepth(_ address: String) throws {
        let members = Self.members(address)
        let text = try Self.cleaned(
            """
            {\(members),"sections":[{"id":"main",\(members),"items":[{"id":"1",\(members)}]},\
            {"id":"b",\(members),"items":[]}]}
            """
        ).lowercased()
        for part in ["script", "data:", "onclick", "\\u0001", "\\u007f"] {
            #expect(!text.contains(part), "\(part) in \(text)")
        }
        #expect(text.contains(#""items":[{"id":"1""#))
    }

    @Test func addressesOfTheWebStay() throws {
        let members = Self.members("https://example.com/x")
        let text = try Self.cleaned(
            "{\(members),\"sections\":[{\"id\":\"main\",\(members),\"items\":[{\"id\":\"1\",\(members)}]}]}"
        )
        let count = text.ranges(of: "https://example.com/x").count
        #expect(count == 3 * (Self.addresses.count + 8))
        #expect(text.ranges(of: "<p>y").count == 3)
    }
}
