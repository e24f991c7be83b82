import FeedModel
import Foundation
import TestSupport
import Testing

@testable import freshet

/// The operator's listener, and what it shows.
@Suite struct OperatorPages {
    /// A server with such a listener, a source that can be read, and one that cannot.
    private struct Subject {
        let server: ServerAssembly
        let folder: TemporaryFolder

        var admin: Int { server.adminPort ?? 0 }

        func get(
            _ target: String,
            port: Int? = nil,
            method: String = "GET",
            _ fields: String = ""
        ) throws -> RawResponse {
            let client = try RawClient(port: port ?? admin)
            let host = fields.contains("Host:") ? "" : "Host: 127.0.0.1:\(port ?? admin)\r\n"
            try client.send("\(method) \(target) HTTP/1.1\r\n\(host)\(fields)\r\n")
            return try client.receive(isHead: method == "HEAD")
        }

        func json(_ target: String) throws -> TestJSON {
            try #require(TestJSON(try get(target).body))
        }
    }

    private func withSubject(
        isOnItsOwn: Bool = true,
        adminHost: String = "127.0.0.1",
        _ body: (Subject) throws -> Void
    ) async throws {
        let folder = try TemporaryFolder()
        let path = folder.path
        try Data(#"{"items":[{"id":"a"}]}"#.utf8)
            .write(to: URL(fileURLWithPath: path + "/source.json"))
        try Data("<title>Operator</title>".utf8)
            .write(to: URL(fileURLWithPath: path + "/admin.html"))
        let text = """
            \(isOnItsOwn ? "admin: \(adminHost):0" : "")
            public: \(path)
            keys:
              - {name: ops, digest: \(KeyCommand.digest("ops")), admin: true}
              - {name: desk, digest: \(KeyCommand.digest("desk")), write: [news]}
            source-folder: \(path)
            feeds:
              failing: {source: {file: \(path)/gone.json, every: 1h}}
              sourced: {source: {file: \(path)/source.json, every: 1h}}
            """
        let options: ServeSettings.Options = [
            "port": ["0"], "loops": ["2"], "allow-host": ["ops.example"],
        ]
        let file = try ConfigurationFile(parsing: Array(text.utf8))
        let settings = try ServeSettings(options, .inMemory, file) { _ in true }
        let server = try ServerAssembly(settings)
        server.start()
        let result = Result { try body(Subject(server: server, folder: folder)) }
        await server.stop(within: .zero)
        try result.get()
    }

    @Test func isOnTheOperatorsListenerWithoutAKey() async throws {
        try await withSubject { subject in
            for page in ["server", "feeds", "sources", "keys"] {
                let answer = try subject.get("/admin/\(page)")
                #expect(answer.status == 200)
                #expect(try subject.get("/admin/\(page)", method: "HEAD").status == 200)
                #expect(try subject.get("/admin/\(page)", method: "PUT").status == 405)
                let key = "Authorization: Bearer ops\r\n"
                let port = subject.server.port
                #expect(try subject.get("/admin/\(page)", port: port, key).status == 404)
            }
            #expect(try subject.get("/feeds").status == 404)
            #expect(try subject.get("/admin/feeds?limit=x").status == 400)
            #expect(try subject.get("/admin/feeds", "Host: evil.example\r\n").status == 421)
        }
    }

    /// Pages of all origins may read feeds, and nothing that is for the operator.
    @Test func saysNothingToPagesOfOtherOrigins() async throws {
        try await withSubject { subject in
            let origin = "Origin: http://evil.example\r\n"
            for target in ["/admin/server", "/admin/keys", "/metrics", "/healthz", "/readyz"] {
                let answer = try subject.get(target, origin)
                #expect(answer.status == 200)
                #expect(!answer.fields.contains { $0.name.lowercased().hasPrefix("access-") })
                #expect(try subject.get(target, method: "OPTIONS", origin).status == 405)
            }
            let malformed = try subject.get("/metrics", origin + "Transfer-Encoding: none\r\n")
            #expect(malformed.status == 400 || malformed.status == 501)
            #expect(!malformed.fields.contains { $0.name.lowercased().hasPrefix("access-") })
        }
    }

    /// A page of the web can let its own name lead to any address that a browser reaches.
    @Test(arguments: ["0.0.0.0", "127.0.0.1", "localhost"])
    func answersToNamesOfPagesOnNoAddress(_ listensOn: String) async throws {
        try await withSubject(adminHost: listensOn) { subject in
            for target in ["/admin/keys", "/admin/sources", "/metrics", "/healthz", "/"] {
                for host in ["rebind.evil:\(subject.admin)", "ops.example.evil", "127.0.0.1.evil"] {
                    #expect(try subject.get(target, "Host: \(host)\r\n").status == 421)
                }
                for host in ["10.1.2.3:9090", "[fd00::1]:9090", "localhost", "OPS.example:9090"] {
                    #expect(try subject.get(target, "Host: \(host)\r\n").status < 400)
                }
            }
            let refresh = try subject.get(
                "/feeds/sourced/refresh",
                method: "POST",
                "Host: rebind.evil:1\r\nOrigin: http://rebind.evil:1\r\nContent-Length: 0\r\n"
            )
            #expect(refresh.status == 421)
        }
    }

    @Test func hasThePageWhereItIsLookedFor() async throws {
        try await withSubject { subject in
            let first = try subject.get("/")
            #expect(first.status == 307)
            #expect(first["location"] == "admin.html")
            let page = try subject.get("/admin.html")
            #expect(page.status == 200)
            #expect(page.text == "<title>Operator</title>")
            #expect(page["content-security-policy"]?.contains("default-src") == true)
        }
    }

    @Test func saysHowTheServerIs() async throws {
        try await withSubject { subject in
            let server = try subject.json("/admin/server")
            #expect(server["ready"] == .bool(true))
            #expect(server["sources"]?["count"] == .number("2"))
            #expect(server["keys"] == .number("2"))
            #expect(server["loops"]?.list.count == 2)
            #expect(server["loops"]?.list.allSatisfy { $0["responsive"] == .bool(true) } == true)
            guard case .number(let process) = server["memory"]?["process"] else {
                Issue.record("no memory of the process")
                return
            }
            #expect((Int(process) ?? 0) > 1 << 20)
        }
    }

    /// A page of another origin can send requests here, but none that does something.
    @Test(arguments: [
        ("sourced", "", 201), ("sourced", "Origin: http://evil.example\r\n", 403),
        ("sourced", "Origin: null\r\n", 403), ("failing", "", 502), ("news", "", 404),
    ])
    func hasSourcesFetched(_ feed: String, _ field: String, _ status: Int) async throws {
        try await withSubject { subject in
            let answer = try subject.get("/feeds/\(feed)/refresh", method: "POST", field)
            // The source may have been read just before.
            #expect(answer.status == status || status == 201 && answer.status == 200)
            #expect(try subject.get("/feeds/\(feed)/refresh").status == 405)
            guard status == 201 || status == 502 else { return }
            let origin = "Origin: http://127.0.0.1:\(subject.admin)\r\n"
            let second = try subject.get("/feeds/\(feed)/refresh", method: "POST", origin)
            #expect(second.status == (status == 201 ? 200 : status))
        }
    }

    @Test func listsSourcesAndThoseThatFail() async throws {
        try await withSubject { subject in
            for feed in ["sourced", "failing"] {
                _ = try subject.get("/feeds/\(feed)/refresh", method: "POST")
            }
            let all = try subject.json("/admin/sources?limit=1")
            #expect(all["total"] == .number("2"))
            #expect(all["sources"]?.list.map { $0["id"]?.string } == ["failing"])
            let next = try subject.json("/admin/sources" + (all["next"]?.string ?? ""))
            #expect(next["sources"]?.list.map { $0["id"]?.string } == ["sourced"])
            #expect(next["sources"]?[0]?["source"]?["error"] == nil)
            #expect(next["next"] == nil)
            let failing = try subject.json("/admin/sources?failing=true")
            #expect(failing["total"] == .number("1"))
            #expect(failing["sources"]?.list.map { $0["id"]?.string } == ["failing"])
            #expect(failing["sources"]?[0]?["source"]?["error"]?.string?.isEmpty == false)
            #expect(failing["sources"]?[0]?["source"]?["reason"]?.string == "file")
            // One that never worked has no feed to be listed; here it can be seen.
            let metrics = try subject.get("/metrics").text
            #expect(metrics.contains("freshet_sources_failing{reason=\"file\"} 1\n"))
            #expect(metrics.contains("freshet_sources_failing{reason=\"page\"} 0\n"))
        }
    }

    /// An admin's key may have any source fetched, and nothing published.
    @Test func isOnThePublicPortForKeysWithTheRight() async throws {
        try await withSubject(isOnItsOwn: false) { subject in
            let port = subject.server.port
            let ops = "Authorization: Bearer ops\r\n"
            #expect(try subject.get("/admin/server", port: port, ops).status == 200)
            #expect(try subject.get("/admin/server", port: port).status == 401)
            let refresh = "/feeds/sourced/refresh"
            let status = try subject.get(refresh, port: port, method: "POST", ops).status
            #expect([200, 201].contains(status))
            let desk = "Authorization: Bearer desk\r\n"
            #expect(try subject.get(refresh, port: port, method: "POST", desk).status == 403)
            #expect(
                try subject.get("/feeds/sourced", port: port, method: "DELETE", ops).status == 403
            )
        }
    }

    @Test func countsTheReadersOfAFeed() async throws {
        try await withSubject { subject in
            let port = subject.server.port
            _ = try subject.get("/feeds/sourced/refresh", method: "POST")
            func readers() throws -> TestJSON? {
                let feeds = try subject.json("/admin/feeds")["feeds"]?.list ?? []
                return feeds.first { $0["id"] == "sourced" }?["readers"]
            }
            #expect(try readers() == .number("0"))
            var streams: [RawClient] = []
            for count in 1...3 {
                let client = try RawClient(port: port)
                try client.send("GET /feeds/sourced/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
                try client.read(through: "event: ")
                streams.append(client)
                #expect(try readers() == .number("\(count)"))
            }
            let current = try subject.get("/feeds/sourced", port: port)["etag"] ?? ""
            let waiter = try RawClient(port: port)
            try waiter.send(
                "GET /feeds/sourced HTTP/1.1\r\nHost: localhost\r\nPrefer: wait=60\r\n"
                    + "If-None-Match: \(current)\r\n\r\n"
            )
            // It is taken by some loop before it is counted, but nobody says when.
            while try readers() != .number("4") { continue }
            withExtendedLifetime((streams, waiter)) {}
        }
    }
}
