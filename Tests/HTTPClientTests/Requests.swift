import HTTPClient
import HTTPTypes
import Platform
import Synchronization
import TestSupport
import Testing

/// What goes out, and what comes back.
@Suite struct Requests {
    private let servers = RawServers()
    private let client = try? HTTPClient()

    @Test func aResponseHasStatusFieldsAndBody() async throws {
        let server = servers.serving { _, connection in
            connection.answer(
                "404 Not Found",
                ["ETag: W/\"a\u{e9}\"", "X-A: 1", "x-a: 2", "X-B:"],
                "no"
            )
        }
        let client = try #require(client)
        let response = try await client.response(to: .patient(server.url + "/a"))
        #expect(response.status == 404)
        #expect(response.text == "no")
        #expect(response.fields[.eTag] == "W/\"a\u{e9}\"")
        #expect(response.fields[values: HTTPField.Name("x-a") ?? .age] == ["1", "2"])
        #expect(response.fields[HTTPField.Name("x-b") ?? .age] == "")
    }

    @Test(arguments: [0, 1, 300_000, 3 << 20])
    func aBodyIsReadToItsEnd(byteCount: Int) async throws {
        let content = (0..<byteCount).map { UInt8(truncatingIfNeeded: $0 >> 8) }
        let server = servers.serving { _, connection in connection.answer("200 OK", [], content) }
        let response = try await #require(client).response(to: .patient(server.url))
        #expect(response.body == content)
    }

    private static let bodies: [(HTTPRequest.Method, String?)] = [
        (.post, "text/plain"), (.put, nil), (.patch, "application/json"),
    ]

    @Test(arguments: bodies)
    func aBodyIsSent(_ method: HTTPRequest.Method, _ type: String?) async throws {
        let server = servers.serving { head, connection in
            let body = connection.read(5).map { String(decoding: $0, as: UTF8.self) } ?? ""
            return connection.answer("200 OK", [], head + body)
        }
        var fields = HTTPFields()
        fields[.contentType] = type
        let response = try await #require(client).response(
            to: .patient(server.url, method, fields: fields, body: Array("a\u{0}b\r\n".utf8))
        )
        let lines = response.text.lowercased().split(separator: "\r\n")
        #expect(lines.first == "\(method.rawValue.lowercased()) / http/1.1")
        #expect(lines.contains("content-length: 5"))
        #expect(!lines.contains { $0.hasPrefix("expect:") })
        #expect(lines.first { $0.hasPrefix("content-type:") } == type.map { "content-type: \($0)" })
        #expect(response.text.hasSuffix("\r\n\r\na\u{0}b\r\n"))
    }

    @Test(arguments: [HTTPRequest.Method.post, .delete, .put])
    func anEmptyBodyIsNoBody(_ method: HTTPRequest.Method) async throws {
        let server = servers.serving { head, connection in connection.answer("200 OK", [], head) }
        let client = try #require(client)
        for body in [nil, [UInt8]()] {
            let text = try await client.response(to: .patient(server.url, method, body: body)).text
            #expect(text.hasPrefix("\(method.rawValue) / HTTP/1.1\r\n"))
            #expect(!text.lowercased().contains("transfer-encoding"))
        }
    }

    @Test func aHeadHasNoBody() async throws {
        let server = servers.serving { _, connection in
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n")
        }
        let client = try #require(client)
        for _ in 0..<2 {
            let response = try await client.response(to: .patient(server.url, .head))
            #expect(response.status == 200)
            #expect(response.body.isEmpty)
        }
    }

    @Test func fieldsAreSentAsTheyAre() async throws {
        let server = servers.serving { head, connection in connection.answer("200 OK", [], head) }
        var fields: HTTPFields = [.userAgent: "reader/1", .ifNoneMatch: "\"a,b\""]
        fields[HTTPField.Name("X-Empty") ?? .age] = ""
        let request = HTTPClient.Request.patient(server.url + "/a?b=c%20d", fields: fields)
        let text = try await #require(client).response(to: request).text
        #expect(text.hasPrefix("GET /a?b=c%20d HTTP/1.1\r\n"))
        for line in ["User-Agent: reader/1", "If-None-Match: \"a,b\"", "X-Empty:"] {
            #expect(text.contains("\r\n\(line)\r\n"))
        }
        #expect(text.contains("\r\nHost: 127.0.0.1:\(server.port)\r\n"))
        #expect(text.contains("gzip"))
    }

    @Test func connectionsAreKept() async throws {
        let server = servers.serving { _, connection in connection.answer("200 OK", [], "x") }
        let client = try #require(client)
        for _ in 0..<5 { _ = try await client.response(to: .patient(server.url)) }
        #expect(server.connectionCount == 1)
    }

    @Test func manyRequestsAtATimeAreAnswered() async throws {
        let server = servers.serving { head, connection in connection.answer("200 OK", [], head) }
        let client = try #require(client)
        try await withThrowingTaskGroup { group in
            for number in 0..<40 {
                group.addTask {
                    let request = HTTPClient.Request.patient(server.url + "/\(number)")
                    let text = try await client.response(to: request).text
                    #expect(text.hasPrefix("GET /\(number) "))
                }
            }
            try await group.waitForAll()
        }
    }

    @Test func redirectsAreLeftToTheCaller() async throws {
        let server = servers.serving { _, connection in
            connection.answer("301 Moved Permanently", ["Location: /b"], "")
        }
        let response = try await #require(client).response(to: .patient(server.url))
        #expect(response.status == 301)
        #expect(response.fields[.location] == "/b")
    }

    @Test func interimResponsesAndTrailersAreNoResponses() async throws {
        let server = servers.serving { _, connection in
            connection.send(
                "HTTP/1.1 103 Early Hints\r\nX-A: 0\r\n\r\nHTTP/1.1 200 OK\r\nX-A: 1\r\n"
            )
                && connection.send(
                    "Transfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\nX-A: 2\r\n\r\n"
                )
        }
        let response = try await #require(client).response(to: .patient(server.url))
        #expect(response.status == 200)
        #expect(response.text == "x")
        #expect(response.fields[values: HTTPField.Name("x-a") ?? .age] == ["1"])
    }

    @Test func bodiesAreDecompressed() async throws {
        let server = servers.serving { _, connection in
            let body = deflated(Array(String(repeating: "feed ", count: 1000).utf8))
            return connection.answer("200 OK", ["Content-Encoding: deflate"], body)
        }
        let response = try await #require(client).response(to: .patient(server.url))
        #expect(response.text == String(repeating: "feed ", count: 1000))
    }

    /// A proxy looks names up itself; what is no name can be refused without it.
    @Test(arguments: [
        "127.0.0.1", "127.1", "0x7f000001", "2130706433", "0177.0.0.1", "localhost", "a.localhost.",
        "[::1]", "[::ffff:10.0.0.1]", "192.168.0.1", "[fe80::1%251]",
    ])
    func aProxyIsNotAskedForWhatIsRefused(_ host: String) async throws {
        let heads = Mutex<[String]>([])
        let proxy = servers.serving { head, connection in
            heads.withLock { $0.append(head) }
            return connection.answer("200 OK", [], "x")
        }
        var settings = HTTPClient.Settings()
        settings.allows = { _, address in address.isPublic }
        let client = try HTTPClient(settings)
        func request(_ url: String) -> HTTPClient.Request {
            var request = HTTPClient.Request.patient(url)
            request.proxy = proxy.url
            return request
        }
        // A connection to the proxy that is kept must not carry what is refused.
        let first = try await client.response(to: request("http://a.invalid/"))
        #expect(first.text == "x")
        await #expect {
            try await client.response(to: request("http://\(host)/"))
        } throws: { error in
            if case HTTPClientError.refusedAddress(let address) = error { return !address.isPublic }
            return false
        }
        #expect(heads.withLock(\.count) == 1)
        var allowed = request("http://\(host)/")
        allowed.allowsAnyAddress = true
        #expect(try await client.response(to: allowed).text == "x")
    }

    @Test func aProxyIsAskedWithTheWholeAddress() async throws {
        let proxy = servers.serving { head, connection in connection.answer("200 OK", [], head) }
        var settings = HTTPClient.Settings()
        settings.proxy = proxy.url
        settings.allows = { _, _ in false }
        let client = try HTTPClient(settings)
        let response = try await client.response(to: .patient("http://a.invalid/b"))
        #expect(response.text.hasPrefix("GET http://a.invalid/b HTTP/1.1\r\n"))
    }
}
