import TestSupport
import Testing

/// The text of requests.
extension Subject {
    /// A request that is fine, with more field lines, each ended by CR LF.
    static func get(_ target: String = "/healthz", _ fields: String = "") -> String {
        "GET \(target) HTTP/1.1\r\nHost: example.org\r\n\(fields)\r\n"
    }

    /// A `PUT` with what frames its content, both as they are sent.
    static func put(_ framing: String, _ rest: String) -> String {
        """
        PUT /feeds/conformance HTTP/1.1\r
        Host: example.org\r
        Authorization: Bearer \(key)\r
        Content-Type: application/json\r
        \(framing)\r\n\r\n\(rest)
        """
    }

    /// A `PUT` with `Transfer-Encoding: chunked`.
    static func chunked(_ rest: String) -> String {
        put("Transfer-Encoding: chunked", rest)
    }
}

/// What comes of requests, which is the same in every ``Delivery``.
extension Subject {
    /// The answer to one request, on a connection that then goes on.
    func answer(_ request: String, isHead: Bool = false) throws -> RawResponse {
        let (plain, secure) = (try connect(), try connect(isSecure: true))
        var response: RawResponse?
        for delivery in Delivery.allCases {
            let client = delivery == .encrypted ? secure : plain
            let next = try answer(Array(request.utf8), on: client, delivery, isHead: isHead)
            let isSame = response.map { $0.status == next.status } ?? true
            // What a PUT makes is made once.
            let isMade = response?.status == 201 && next.status == 200
            #expect(isSame || isMade, "\(delivery): \(next.status)")
            response = response ?? next
        }
        return try #require(response)
    }

    private func answer(
        _ request: [UInt8],
        on client: RawClient,
        _ delivery: Delivery,
        isHead: Bool
    ) throws -> RawResponse {
        try delivery.send(request, on: client)
        let response = try client.receive(isHead: isHead)
        try client.send(Subject.get())
        let next = try client.receive()
        #expect(next.status == 200, "the connection goes on")
        return response
    }

    /// Expects that `bytes` are refused with `status`, that the connection ends, and that nothing
    /// behind them is answered.
    func expectRefusal(
        _ bytes: [UInt8],
        _ status: Int = 400,
        _ location: SourceLocation = #_sourceLocation
    ) throws {
        let isHead = bytes.starts(with: Array("HEAD ".utf8))
        for delivery in Delivery.allCases {
            let client = try connect(isSecure: delivery == .encrypted)
            // A request that would be answered if what is before it were.
            try delivery.send(bytes, followedBy: Array(Subject.get().utf8), on: client)
            let refusal = try client.receive(isHead: isHead)
            #expect(refusal.status == status, "\(delivery)", sourceLocation: location)
            #expect(refusal["connection"] == "close", sourceLocation: location)
            #expect(refusal["date"] != nil, sourceLocation: location)
            #expect(try client.isEnded(), "\(delivery)", sourceLocation: location)
        }
    }

    func expectRefusal(
        _ text: String,
        _ status: Int = 400,
        _ location: SourceLocation = #_sourceLocation
    ) throws {
        try expectRefusal(Array(text.utf8), status, location)
    }

    /// Expects that a `PUT` of ``content`` is taken, and that the connection goes on.
    func expectTaken(
        _ request: String,
        _ location: SourceLocation = #_sourceLocation
    ) throws {
        let response = try answer(request)
        #expect(200...201 ~= response.status, sourceLocation: location)
        if self == .engine { #expect(response.text == Subject.content, sourceLocation: location) }
    }
}
