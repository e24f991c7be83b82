import HTTPClient
import HTTPTypes
import TestSupport
import Testing

/// Bodies that are read while they arrive, and requests that are given up.
@Suite struct ArrivingBodies {
    private let servers = RawServers()

    @Test func partsComeAsTheyAreSent() async throws {
        let turn = Event()
        let server = servers.serving { _, connection in
            connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
            for text in ["a", "b", "c"] {
                guard turn.wait(), connection.send("1\r\n\(text)\r\n") else { return false }
            }
            return turn.wait() && connection.send("0\r\n\r\n")
        }
        let client = try HTTPClient()
        let (head, body) = try await client.streamed(.patient(server.url))
        #expect(head.status == 200)
        turn.happened()
        var parts: [String] = []
        for try await part in body {
            parts.append(String(decoding: part, as: UTF8.self))
            turn.happened()
        }
        #expect(parts == ["a", "b", "c"])
    }

    /// A stream without news says a byte or two now and then.
    @Test func aSlowBodyIsNoSilentOne() async throws {
        let turn = Event()
        let server = servers.serving { head, connection in
            connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
            guard head.hasPrefix("GET /patient") else { return connection.read(1) != nil }
            return turn.wait() && connection.send("1\r\nx\r\n0\r\n\r\n")
        }
        let client = try HTTPClient()
        func body(_ path: String, stalled: Duration) async throws -> ArrivingBody {
            var request = HTTPClient.Request(.get, server.url + path)
            request.limits.whole = nil
            request.limits.stalled = stalled
            return try await client.streamed(request).body
        }
        func error(_ body: ArrivingBody) async -> HTTPClientError? {
            do throws(HTTPClientError) {
                var parts = body.makeAsyncIterator()
                while try await parts.next() != nil {}
                return nil
            } catch {
                return error
            }
        }
        let patient = try await body("/patient", stalled: .seconds(50))
        let stalled = await error(try await body("/", stalled: .milliseconds(1)))
        guard case .timedOut = stalled else {
            Issue.record("not timed out")
            return
        }
        turn.happened()
        #expect(await error(patient) == nil)
    }

    @Test func nothingIsLostWhenTheReaderIsSlow() async throws {
        let content = (0..<(2 << 20)).map { UInt8(truncatingIfNeeded: $0 >> 8) }
        let server = servers.serving { _, connection in connection.answer("200 OK", [], content) }
        let client = try HTTPClient()
        let (_, body) = try await client.streamed(.patient(server.url))
        var read: [UInt8] = []
        for try await part in body {
            #expect(part.count <= 512 << 10)
            read += part
            await Task.yield()
        }
        #expect(read == content)
    }

    @Test func droppingABodyEndsItsConnection() async throws {
        let ended = Event()
        let server = servers.serving { _, connection in
            connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
            if connection.read(1) == nil { ended.happened() }
            return false
        }
        let client = try HTTPClient()
        do { _ = try await client.streamed(.patient(server.url)).head }
        #expect(await ended.awaited())
    }

    @Test func aTaskThatIsCancelledEndsItsRequest() async throws {
        let came = Event()
        let ended = Event()
        let server = servers.serving { _, connection in
            came.happened()
            if connection.read(1) == nil { ended.happened() }
            return false
        }
        let client = try HTTPClient()
        let task = Task { try await client.response(to: .patient(server.url)) }
        #expect(await came.awaited())
        task.cancel()
        await #expect(throws: HTTPClientError.cancelled) { try await task.value }
        #expect(await ended.awaited())
    }

    @Test func requestsEndWithTheirClient() async throws {
        let server = servers.serving { _, connection in
            connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
            return connection.read(1) != nil
        }
        var client: HTTPClient? = try HTTPClient()
        let body = try #require(try await client?.streamed(.patient(server.url)).body)
        client = nil
        var parts = body.makeAsyncIterator()
        await #expect(throws: HTTPClientError.cancelled) { try await parts.next() }
    }
}
