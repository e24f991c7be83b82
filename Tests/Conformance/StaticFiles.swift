import Foundation
import HTTPServer
import HTTPTypes
import TestSupport
import Testing

/// RFC 9110 §13 and §9, for files.
///
/// `TAG` and `DATE` stand for the file's validators.
@Suite struct StaticFiles {
    /// A server of a folder with one file, for as long as the tests run.
    private static let server = Result { () throws -> HTTPServer in
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("conformance-" + UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data("<p>hello".utf8).write(to: folder.appendingPathComponent("index.html"))
        let handler = FileHandler(folder: try Folder(path: folder.path)) { .text($1, $0) }
        return try startedServer(handler)
    }

    private func answer(_ method: String, _ target: String, _ fields: String) throws -> RawResponse
    {
        let client = try RawClient(port: Self.server.get().port)
        try client.send(Subject.get("/"))
        let plain = try client.receive()
        let fields = fields.replacing("TAG", with: try #require(plain["etag"]))
            .replacing("DATE", with: try #require(plain["last-modified"]))
        try client.send("\(method) \(target) HTTP/1.1\r\nHost: h\r\n\(fields)\r\n\r\n")
        return try client.receive(isHead: method == "HEAD")
    }

    @Test(arguments: [
        ("If-None-Match: TAG", 304), ("If-None-Match: W/TAG", 304), ("If-None-Match: *", 304),
        ("If-None-Match: \"x\"", 200), ("If-None-Match: x", 200), ("If-Match: TAG", 200),
        ("If-Match: *", 200), ("If-Match: \"x\"", 412), ("If-Match: W/TAG", 412),
        ("If-Modified-Since: DATE", 304), ("If-Modified-Since: Sun, 06 Nov 1994 08:49:37 GMT", 200),
        ("If-Modified-Since: Sunday, 06-Nov-94 08:49:37 GMT", 200),
        ("If-Modified-Since: Sun Nov  6 08:49:37 1994", 200), ("If-Modified-Since: tomorrow", 200),
        ("If-Modified-Since: DATE, DATE", 200), ("If-Unmodified-Since: DATE", 200),
        ("If-Unmodified-Since: Sun, 06 Nov 1994 08:49:37 GMT", 412),
        ("If-Unmodified-Since: yesterday", 200),
        // The order of evaluation, §13.2.2.
        ("If-None-Match: \"x\"\r\nIf-Modified-Since: DATE", 200),
        ("If-None-Match: TAG\r\nIf-Modified-Since: Sun, 06 Nov 1994 08:49:37 GMT", 304),
        ("If-Match: TAG\r\nIf-Unmodified-Since: Sun, 06 Nov 1994 08:49:37 GMT", 200),
        ("If-Match: \"x\"\r\nIf-None-Match: TAG", 412), ("Range: bytes=0-1", 200),
    ])
    func areSentUnderConditions(_ fields: String, _ status: Int) throws {
        for method in ["GET", "HEAD"] {
            let answer = try answer(method, "/", fields)
            #expect(answer.status == status)
            if status != 412 { #expect(answer["etag"] != nil) }
            if status == 200 { #expect(answer["content-length"] == "8") }
        }
    }

    @Test(arguments: [("POST", 405), ("DELETE", 405), ("TRACE", 405), ("BREW", 501), ("get", 501)])
    func areOnlyRead(_ method: String, _ status: Int) throws {
        let answer = try answer(method, "/", "Content-Length: 0")
        #expect(answer.status == status)
        #expect((answer["allow"] == nil) == (status == 501))
    }

    @Test(arguments: [
        "/..", "/../index.html", "/%2e%2e/index.html", "/%2e%2e%2findex.html", "/index.html/",
        "/index.html%00", "/./index.html", "//index.html", "/.hidden", "/index.html%0d%0aX:%20y",
    ])
    func areFoundByTheirNamesAlone(_ target: String) throws {
        #expect(try answer("GET", target, "X: y").status == 404)
    }
}
