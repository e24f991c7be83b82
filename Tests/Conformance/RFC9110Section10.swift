import TestSupport
import Testing

/// RFC 9110 §10.1.1.
@Suite struct Expectations {
    private static let expecting = "Content-Length: 12\r\nExpect: 100-continue"

    @Test(arguments: Subject.allCases, ["100-continue", "100-CONTINUE", " 100-continue ,"])
    func expectationsOfAnInterimAnswerAreMet(_ subject: Subject, _ value: String) throws {
        let client = try subject.connect()
        try client.send(Subject.put("Content-Length: 12\r\nExpect: " + value, ""))
        let interim = try client.receive()
        #expect(interim.status == 100)
        #expect(interim.values("content-length").isEmpty)
        try client.send(Subject.content)
        #expect(200...201 ~= (try client.receive().status))
        try client.send(Subject.get())
        #expect(try client.receive().status == 200)
    }

    @Test(arguments: Subject.allCases)
    func expectationsAreMetForChunksToo(_ subject: Subject) throws {
        let client = try subject.connect()
        try client.send(Subject.put("Transfer-Encoding: chunked\r\nExpect: 100-continue", ""))
        #expect(try client.receive().status == 100)
        try client.send("c\r\n\(Subject.content)\r\n0\r\n\r\n")
        #expect(200...201 ~= (try client.receive().status))
    }

    /// A client that does not wait gets its answers all the same.
    @Test(arguments: Subject.allCases)
    func expectationsDoNotHoldUpWhoSendsAtOnce(_ subject: Subject) throws {
        let client = try subject.connect()
        try client.send(Subject.put(Self.expecting, Subject.content) + Subject.get())
        var answer = try client.receive()
        if answer.status == 100 { answer = try client.receive() }
        #expect(200...201 ~= answer.status)
        #expect(try client.receive().status == 200)
    }

    /// The last answer comes at once, and what would have been the content is not a request.
    @Test(arguments: Subject.allCases, ["GET", "POST", "DELETE"])
    func expectationsAreNotMetForContentThatNobodyWants(_ subject: Subject, _ method: String) throws
    {
        let client = try subject.connect()
        try client.send("\(method) /healthz HTTP/1.1\r\nHost: h\r\n\(Self.expecting)\r\n\r\n")
        let answer = try client.receive()
        #expect(answer.status == (method == "GET" ? 200 : 405))
        #expect(answer["connection"] == "close")
        #expect(try client.isEnded())
    }

    @Test(arguments: Subject.allCases)
    func expectationsMeanNothingWithoutContentOrInOldRequests(_ subject: Subject) throws {
        let fields = "Expect: 100-continue\r\n"
        #expect(try subject.answer(Subject.get("/healthz", fields)).status == 200)
        #expect(
            try subject.answer(Subject.get("/healthz", fields + "Content-Length: 0\r\n")).status
                == 200
        )
        let client = try subject.connect()
        try client.send(
            """
            PUT /feeds/conformance HTTP/1.0\r\nHost: h\r\nAuthorization: Bearer \(Subject.key)\r
            Content-Type: application/json\r\n\(Self.expecting)\r\n\r\n\(Subject.content)
            """
        )
        #expect(200...201 ~= (try client.receive().status))
        #expect(try client.isEnded())
    }

    @Test(arguments: Subject.allCases, ["200-ok", "x=y", "100-continue, x", "100-continue=1"])
    func expectationsThatNobodyKnowsFail(_ subject: Subject, _ value: String) throws {
        let answer = try subject.answer(Subject.get("/healthz", "Expect: \(value)\r\n"))
        #expect(answer.status == 417)
        if subject == .api { #expect(answer.text.contains("/problems/expectation")) }
        let client = try subject.connect()
        try client.send(Subject.put("Content-Length: 12\r\nExpect: " + value, ""))
        #expect(try client.receive().status == 417)
        #expect(try client.isEnded())
    }
}
