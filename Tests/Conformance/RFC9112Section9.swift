import TestSupport
import Testing

/// RFC 9112 §9.3 and §9.6.
@Suite struct Persistence {
    @Test(
        arguments: Subject.allCases,
        [
            ("HTTP/1.1", "", false), ("HTTP/1.1", "Connection: keep-alive\r\n", false),
            ("HTTP/1.1", "Connection: Keep-Alive\r\n", false),
            ("HTTP/1.1", "Connection:\r\n", false),
            ("HTTP/1.1", "Connection: closed\r\n", false),
            ("HTTP/1.1", "Connection: x-close\r\n", false),
            ("HTTP/1.1", "Connection: close\r\n", true),
            ("HTTP/1.1", "Connection: CLOSE\r\n", true),
            ("HTTP/1.1", "connection:close\r\n", true),
            ("HTTP/1.1", "Connection: x, close, y\r\n", true),
            ("HTTP/1.1", "Connection: ,,close ,\r\n", true),
            ("HTTP/1.1", "Connection: keep-alive, close\r\n", true),
            ("HTTP/1.1", "Connection: close, keep-alive\r\n", true),
            ("HTTP/1.1", "Connection: keep-alive\r\nConnection: close\r\n", true),
            ("HTTP/1.1", "Proxy-Connection: close\r\n", false), ("HTTP/1.0", "", true),
            ("HTTP/1.0", "Connection: close\r\n", true), ("HTTP/1.0", "Connection: x\r\n", true),
            ("HTTP/1.0", "Proxy-Connection: keep-alive\r\n", true),
            ("HTTP/1.0", "Connection: keep-alive\r\n", false),
            ("HTTP/1.0", "Connection: x, Keep-Alive\r\n", false),
            ("HTTP/1.0", "Connection: keep-alive, close\r\n", true),
        ]
    )
    func followsTheRequest(
        _ subject: Subject,
        _ request: (version: String, fields: String, ends: Bool)
    ) throws {
        let client = try subject.connect()
        let text = "GET /healthz \(request.version)\r\nHost: h\r\n\(request.fields)\r\n"
        try client.send(text + text)
        let answer = try client.receive()
        #expect(answer.status == 200)
        guard !request.ends else {
            #expect(answer["connection"] == "close")
            #expect(try client.isEnded())
            return
        }
        #expect(answer["connection"] == (request.version == "HTTP/1.0" ? "keep-alive" : nil))
        #expect(try client.receive().status == 200)
        client.endSending()
        #expect(try client.isEnded())
    }

    /// What the client went on sending does not cost it the last answer.
    @Test(arguments: Subject.allCases)
    func endsWithTheWholeAnswerWhateverIsStillSent(_ subject: Subject) throws {
        let last = Subject.get("/healthz", "Connection: close\r\n")
        let more = String(repeating: Subject.get(), count: 20_000)
        for _ in 0..<5 {
            let client = try subject.connect()
            // More than one read takes, and no reset while it is sent.
            try client.send(last + more)
            #expect(try client.receive().text == "alive\n")
            #expect(try client.readToEnd().isEmpty)
        }
    }

    @Test(arguments: Subject.allCases)
    func outlastsErrorsOfHandlers(_ subject: Subject) throws {
        let client = try subject.connect()
        let requests = [
            (Subject.get("/problems/nothing"), 404),
            ("DELETE /healthz HTTP/1.1\r\nHost: h\r\n\r\n", 405),
            ("BREW /healthz HTTP/1.1\r\nHost: h\r\n\r\n", 501), (Subject.get(), 200),
            ("POST /healthz HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\nhello", 405),
            ("GET /healthz HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\nhello", 200),
        ]
        for _ in 0..<3 {
            for (request, status) in requests {
                try client.send(request)
                #expect(try client.receive().status == status)
            }
        }
    }
}

/// RFC 9112 §9.3.2.
@Suite struct Pipelines {
    private static let requests: [(text: String, isHead: Bool, status: Int)] = [
        ("HEAD /healthz HTTP/1.1\r\nHost: h\r\n\r\n", true, 200),
        (Subject.put("Content-Length: 12", Subject.content), false, 200),
        (Subject.chunked("c\r\n\(Subject.content)\r\n0\r\n\r\n"), false, 200),
        ("POST /healthz HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\nGET", false, 405),
        ("\r\n" + Subject.get("/problems/nothing"), false, 404),
        ("OPTIONS * HTTP/1.1\r\nHost: h\r\n\r\n", false, 204),
        (Subject.get(), false, 200),
    ]

    private func expectAnswers(_ client: RawClient) throws {
        for (_, isHead, status) in Self.requests {
            let answer = try client.receive(isHead: isHead)
            #expect(answer.status == status || answer.status == 201 && status == 200)
        }
    }

    @Test(arguments: Subject.allCases)
    func pipelinesAreAnsweredInOrderHoweverTheyAreCut(_ subject: Subject) throws {
        let bytes = Array(Self.requests.map(\.text).joined().utf8)
        let client = try subject.connect()
        for parts in cuts(of: bytes) {
            for part in parts { try client.send(part) }
            try expectAnswers(client)
        }
    }

    @Test(arguments: Subject.allCases)
    func pipelinesMayBeVeryLong(_ subject: Subject) throws {
        let client = try subject.connect()
        let text = String(repeating: Subject.get(), count: 300)
        for _ in 0..<5 {
            try client.send(text)
            for _ in 0..<300 { #expect(try client.receive().status == 200) }
        }
    }

    /// Nothing behind an error is answered, what is before it is.
    @Test(
        arguments: Subject.allCases,
        [
            "GET / HTTP/1.1\r\n\r\n", "\0", "GET  / HTTP/1.1\r\nHost: h\r\n\r\n", "HEAD /\r\n\r\n",
            Subject.put("Content-Length: x", Subject.content), Subject.chunked("x\r\n"),
        ]
    )
    func pipelinesEndAtTheFirstError(_ subject: Subject, _ error: String) throws {
        let client = try subject.connect()
        let good = Self.requests.map(\.text).joined()
        try client.send(good + error + good)
        try expectAnswers(client)
        let refusal = try client.receive(isHead: error.hasPrefix("HEAD"))
        #expect(refusal.status == 400)
        #expect(refusal["connection"] == "close")
        #expect(try client.isEnded())
    }

    /// The refusal of what follows a HEAD request has content.
    @Test(arguments: Subject.allCases)
    func pipelinesKeepTheMethodsOfRequestsApart(_ subject: Subject) throws {
        let client = try subject.connect()
        try client.send("HEAD /healthz HTTP/1.1\r\nHost: h\r\n\r\nGET  /\r\n")
        #expect(try client.receive(isHead: true).status == 200)
        let refusal = try client.receive()
        #expect(refusal.status == 400)
        #expect(!refusal.body.isEmpty)
        #expect(try client.isEnded())
    }
}

/// RFC 9112 §9.6: a half that is closed does not close the other.
@Suite struct HalfClosedConnections {
    @Test(arguments: Subject.allCases)
    func halfClosedConnectionsAreStillAnswered(_ subject: Subject) throws {
        let client = try subject.connect()
        try client.send(Subject.get() + Subject.get() + "GET /hea")
        client.endSending()
        #expect(try client.receive().status == 200)
        #expect(try client.receive().status == 200)
        #expect(try client.isEnded())
    }

    /// What arrives while a handler has another request is still read.
    @Test func halfClosedConnectionsAreReadToTheirEnd() throws {
        for _ in 0..<50 {
            let client = try Subject.engine.connect()
            try client.send(Subject.get("/slow"))
            try client.send(Subject.get("/slow"))
            try client.send(Subject.get("/slow"))
            client.endSending()
            for _ in 0..<3 { #expect(try client.receive().text == "alive\n") }
            #expect(try client.isEnded())
        }
    }
}
