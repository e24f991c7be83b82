import HTTPTypes
import Synchronization
import TestSupport
import Testing

@testable import HTTPServer

@Suite struct Answering {
    @Test func aRequestIsAnsweredWithLengthAndDate() async throws {
        try await withServer { _ in
            .response(.text("hello"))
        } _: { server in
            let client = try RawClient(port: server.port)
            try client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            let answer = try client.receive()
            #expect(answer.status == 200)
            #expect(answer.text == "hello")
            #expect(answer["content-length"] == "5")
            #expect(answer["date"]?.hasSuffix(" GMT") == true)
            #expect(answer["connection"] == nil)
        }
    }

    @Test func aRequestCutAtAnyByteIsAnsweredTheSame() async throws {
        try await withServer {
            .response(.text($0.path))
        } _: { server in
            let request = Array("GET /cut HTTP/1.1\r\nHost: a\r\nX-Test: yes\r\n\r\n".utf8)
            let client = try RawClient(port: server.port)
            for parts in cuts(of: request) {
                for part in parts { try client.send(part) }
                #expect(try client.receive().text == "/cut")
            }
        }
    }

    @Test func pipelinedRequestsAreAnsweredInOrder() async throws {
        try await withServer { request in
            // Every third answer takes its time, so that the others must wait for it.
            guard request.path.hasSuffix("0") else { return .response(.text(request.path)) }
            return .later { responder in
                let path = request.path
                later { responder(.text(path)) }
            }
        } _: { server in
            let client = try RawClient(port: server.port)
            let paths = (0..<500).map { "/\($0)" }
            try client.send(paths.map { "GET \($0) HTTP/1.1\r\nHost: a\r\n\r\n" }.joined())
            for path in paths { #expect(try client.receive().text == path) }
        }
    }

    @Test func aLongPipelineLeavesOthersTheirTurn() async throws {
        let paths = Mutex<[String]>([])
        let (isHeld, mayGoOn) = (Event(), Event())
        try await withServer(loops: 1) { request in
            paths.withLock { $0.append(request.path) }
            if request.path == "/hold" {
                // Holds the only loop, so that both requests wait in the kernel for its next turn.
                isHeld.happened()
                _ = mayGoOn.wait()
            }
            return .response(.text(request.path))
        } _: { server in
            let clients = try (0..<3).map { _ in try RawClient(port: server.port) }
            for client in clients {
                try client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
                _ = try client.receive()
            }
            try clients[0].send("GET /hold HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(isHeld.wait())
            let request = "HEAD /pipeline HTTP/1.1\r\nHost: a\r\n\r\n"
            try clients[1].send(String(repeating: request, count: 2000))
            try clients[2].send("GET /other HTTP/1.1\r\nHost: a\r\n\r\n")
            mayGoOn.happened()
            #expect(try clients[2].receive().text == "/other")
            for _ in 0..<2000 { _ = try clients[1].receive(isHead: true) }
            let place = try #require(paths.withLock { $0.firstIndex(of: "/other") })
            #expect(place <= 4 + ConnectionTurn.costLimit)
            #expect(paths.withLock { $0.count } == 2005)
        }
    }

    /// Small chunks take long to tell apart.
    @Test func aBodyOfSmallChunksLeavesOthersTheirTurn() async throws {
        let done = Mutex<[String]>([])
        let (isHeld, mayGoOn) = (Event(), Event())
        try await withServer(loops: 1) { request in
            if request.path == "/hold" {
                // Holds the only loop, so that both requests wait in the kernel for its next turn.
                isHeld.happened()
                _ = mayGoOn.wait()
            }
            guard request.path == "/chunks" else {
                done.withLock { $0.append(request.path) }
                return .response(.text(request.path))
            }
            return .body(limit: 1 << 20, refuse: { .text("\($0)") }) { body in
                done.withLock { $0.append("/chunks") }
                return .response(.text("\(body.byteCount)"))
            }
        } _: { server in
            let clients = try (0..<3).map { _ in try RawClient(port: server.port) }
            for client in clients {
                try client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
                _ = try client.receive()
            }
            try clients[0].send("GET /hold HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(isHeld.wait())
            let head = "PUT /chunks HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
            let chunks = String(repeating: "1\r\nx\r\n", count: 10_000)
            try clients[1].send(head + chunks + "0\r\n\r\n")
            try clients[2].send("GET /other HTTP/1.1\r\nHost: a\r\n\r\n")
            mayGoOn.happened()
            #expect(try clients[2].receive().text == "/other")
            #expect(try clients[1].receive().text == "10000")
            #expect(done.withLock { $0.suffix(2) } == ["/other", "/chunks"])
        }
    }

    @Test func headHasTheFieldsOfGetAndNoContent() async throws {
        try await withServer { _ in
            .response(.text("hello"))
        } _: { server in
            let client = try RawClient(port: server.port)
            for _ in 0..<2 {
                try client.send("HEAD / HTTP/1.1\r\nHost: a\r\n\r\n")
                let answer = try client.receive(isHead: true)
                #expect(answer["content-length"] == "5")
            }
        }
    }

    @Test(arguments: [
        ("GET / HTTP/1.0\r\n\r\n", "close", true),
        ("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n", "keep-alive", false),
        ("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", "close", true),
        ("GET / HTTP/1.1\r\nHost: a\r\nConnection: Foo, Close\r\n\r\n", "close", true),
    ])
    func persistenceFollowsTheRequest(
        _ request: String,
        connection: String,
        ends: Bool
    ) async throws {
        try await withServer { _ in
            .response(.text("x"))
        } _: { server in
            let client = try RawClient(port: server.port)
            try client.send(request)
            #expect(try client.receive()["connection"] == connection)
            if ends {
                #expect(try client.isEnded())
            } else {
                try client.send(request)
                #expect(try client.receive().text == "x")
            }
        }
    }

    @Test(arguments: [HTTPResponse.Status.noContent, .notModified])
    func someStatusesHaveNoContent(_ status: HTTPResponse.Status) async throws {
        try await withServer { _ in
            .response(Response(status: status))
        } _: { server in
            let client = try RawClient(port: server.port)
            for _ in 0..<2 {
                try client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
                let answer = try client.receive()
                #expect(answer.status == status.code)
                #expect(answer.values("content-length").isEmpty)
                #expect(answer.values("transfer-encoding").isEmpty)
            }
        }
    }

    @Test func aCachedResponseIsSentAsItWasMade() async throws {
        let large = [UInt8](repeating: 7, count: 3 << 20)
        let cached = Payload(
            Response(status: .ok, fields: [.eTag: "\"1\""], body: .bytes(large))
        )
        try await withServer { _ in
            .cached(cached)
        } _: { server in
            let client = try RawClient(port: server.port)
            for _ in 0..<3 {
                try client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
                let answer = try client.receive()
                #expect(answer["etag"] == "\"1\"")
                #expect(answer.body == large)
            }
            let again = cached.response(Response.OwnFields())
            #expect(again.fields[.eTag] == "\"1\"")
            #expect(again.status.reasonPhrase == "OK")
        }
    }

    @Test func aResponderThatIsDroppedAnswers500() async throws {
        try await withServer { _ in
            .later { _ in }
        } _: { server in
            let client = try RawClient(port: server.port)
            try client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(try client.receive().status == 500)
        }
    }

    @Test func onlyTheFirstAnswerCounts() async throws {
        try await withServer { _ in
            .later { responder in
                responder(.text("first"))
                responder(.text("second"))
            }
        } _: { server in
            let client = try RawClient(port: server.port)
            for _ in 0..<2 {
                try client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
                #expect(try client.receive().text == "first")
            }
        }
    }

    @Test func aClientThatHasSentItsLastByteIsStillAnswered() async throws {
        try await withServer { _ in
            .later { responder in later { responder(.text("x")) } }
        } _: {
            server in
            let client = try RawClient(port: server.port)
            try client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n")
            client.endSending()
            #expect(try client.receive().text == "x")
            #expect(try client.receive().text == "x")
            #expect(try client.isEnded())
        }
    }
}
