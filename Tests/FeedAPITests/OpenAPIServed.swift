import FeedAPI
import FeedModel
import HTTPServer
import HTTPTypes
import HTTPWire
import TestSupport
import Testing

/// docs/PROTOCOL.md, "Limits": `/openapi.json` is the API's, with or without files.
@Suite(.bothWays) struct OpenAPIServed {
    private let document: [UInt8]

    init() throws {
        document = Array(try ProtocolDocument.text(of: "Public/openapi.json").utf8)
    }

    /// Answers what is not the API's.
    private final class Files: RequestHandler {
        func receive(_ request: Request, _ label: inout RequestLabel) -> Reply {
            .response(Response(status: .ok, body: .bytes(Array("a file".utf8))))
        }
    }

    @Test(arguments: [false, true], ["/openapi.json", "/%6Fpenapi.json?x=1"])
    func isThatOfPublic(_ hasFiles: Bool, _ target: String) async throws {
        // The server is closed: what it can do is no secret.
        let api = API(fallback: hasFiles ? Files() : nil) { $0.openFeeds = [] }
        let answer = try await api.get(target, ["Authorization": "Bearer unknown"])
        #expect(answer.status == 200)
        #expect(answer.body == document)
        #expect(answer["Content-Type"] == "application/json")
        #expect(answer["Content-Length"] == String(document.count))
        #expect(answer["Cache-Control"] == "no-cache")
        #expect(answer["Vary"] == "Accept-Encoding")
        #expect(answer["X-Content-Type-Options"] == "nosniff")
        #expect(answer["Access-Control-Allow-Origin"] == "*")
        #expect(answer["ETag"]?.utf8.count == 34)
    }

    @Test(arguments: [
        ("gzip", "gzip"), ("deflate", nil), ("gzip, identity;q=0", "gzip"), ("br", nil),
    ])
    func isCompressed(_ accepted: String, _ coding: String?) async throws {
        let api = API()
        let plain = try await api.get("/openapi.json")
        for _ in 0..<3 {
            let answer = try await api.get("/openapi.json", ["Accept-Encoding": accepted])
            #expect(answer.status == 200)
            #expect(answer["Content-Encoding"] == coding)
            let tag = plain["ETag"]?.dropLast() ?? ""
            #expect(answer["ETag"] == tag + (coding.map { "-" + $0 } ?? "") + "\"")
            #expect(answer["Vary"] == "Accept-Encoding")
            #expect(coding == nil || answer.body.count < document.count / 3)
            if coding == "gzip" { #expect(gunzip(answer.body) == document) }
            let head = try await api.send(
                "HEAD",
                "/openapi.json",
                nil,
                ["Accept-Encoding": accepted]
            )
            #expect(head.status == 200)
            #expect(head.body.isEmpty)
            #expect(head["ETag"] == answer["ETag"])
            #expect(head["Content-Length"] == String(answer.body.count))
        }
    }

    @Test(arguments: ["identity", "gzip"])
    func whoHasItIsToldSo(_ accepted: String) async throws {
        let api = API()
        let fields = ["Accept-Encoding": accepted]
        let first = try await api.get("/openapi.json", fields)
        let tag = try #require(first["ETag"])
        let plain = try #require(try await api.get("/openapi.json")["ETag"])
        for condition in [tag, "W/" + tag, "\"other\", " + tag, "*"] {
            let fields = fields.merging(["If-None-Match": condition]) { $1 }
            let answer = try await api.get("/openapi.json", fields)
            #expect(answer.status == 304)
            #expect(answer.body.isEmpty)
            #expect(answer["ETag"] == (condition == "*" ? plain : tag))
            #expect(answer["Cache-Control"] == "no-cache")
            #expect(answer["Vary"] == "Accept-Encoding")
            #expect(answer["Access-Control-Allow-Origin"] == "*")
        }
        let other = fields.merging(["If-None-Match": "\"other\""]) { $1 }
        #expect(try await api.get("/openapi.json", other).status == 200)
        let failed = try await api.get("/openapi.json", ["If-Match": "\"other\""])
        #expect(failed.status == 412)
        #expect(failed["Access-Control-Allow-Origin"] == "*")
    }

    @Test func isForListedOrigins() async throws {
        let api = API(fallback: Files()) { $0.origins = .list(["https://a.example"]) }
        let listed = try await api.get("/openapi.json", ["Origin": "https://a.example"])
        #expect(listed["Access-Control-Allow-Origin"] == "https://a.example")
        #expect(listed["Access-Control-Expose-Headers"]?.contains("ETag") == true)
        #expect(listed["Vary"] == "Accept-Encoding, Origin")
        let other = try await api.get("/openapi.json", ["Origin": "https://b.example"])
        #expect(other["Access-Control-Allow-Origin"] == nil)
        #expect(other["Vary"] == "Accept-Encoding, Origin")
    }

    @Test(arguments: [
        ("POST", "/openapi.json", 405), ("OPTIONS", "/openapi.json", 204),
        ("GET", "/openapi.json/", 404), ("GET", "/openapi.json/x", 404),
    ])
    func isReadAlone(_ method: String, _ target: String, _ status: Int) async throws {
        let answer = try await API().send(method, target)
        #expect(answer.status == status)
        #expect(answer["Access-Control-Allow-Origin"] == "*")
        #expect(status == 404 || answer["Allow"] == "GET, HEAD, OPTIONS")
    }
}
