import TestSupport
import Testing

/// A feed of the API's server, published before it is read.
struct SampleFeed {
    let name: String
    let itemCount: Int

    var target: String { "/feeds/" + name }

    /// Publishes it, which changes nothing from the second time on.
    func publish() throws {
        let items = (0..<itemCount).map { #"{"id":"item-\#($0)"}"# }.joined(separator: ",")
        let answer = try Subject.api.answer(put(#"{"items":[\#(items)]}"#))
        try #require(200...201 ~= answer.status)
    }

    /// Its entity tag.
    func tag() throws -> String {
        try publish()
        return try #require(try Subject.api.answer(Subject.get(target))["etag"])
    }

    func put(_ content: String, _ fields: String = "") -> String {
        """
        PUT \(target) HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer \(Subject.key)\r
        Content-Type: application/json\r\n\(fields)Content-Length: \(content.utf8.count)\r\n\r
        \(content)
        """
    }
}
