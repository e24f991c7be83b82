import CLoad

/// Clients that stay connected.
struct Crowd: ~Copyable {
    private let crowd: OpaquePointer
    let count: Int

    /// Connects the clients, and waits until each has its first answer.
    ///
    /// - Throws: ``Failure``.
    init(_ kind: crowd_kind, of count: Int, _ side: Side) throws {
        var fault = Fault()
        let crowd = side.server.withTarget(side.request.bytes) { target in
            fault.withBytes { crowd_open(target, kind, CInt(count), 60, $0) }
        }
        guard let crowd else { throw Failure("\(side.name): \(fault.text)") }
        self.crowd = crowd
        self.count = count
    }

    deinit { crowd_close(crowd) }

    /// Sends a request on each connection, and waits for all answers.
    ///
    /// - Throws: ``Failure``, also when a client got no answer within 10 seconds.
    func ask(_ request: Request) throws -> crowd_times {
        try run(request, crowd_ask)
    }

    /// Sends a publish, and waits until every client has its event.
    ///
    /// - Throws: ``Failure``, also when a client got no event within 10 seconds.
    func publish(_ request: Request) throws -> crowd_times {
        try run(request, crowd_publish)
    }

    private func run(
        _ request: Request,
        _ body: (
            OpaquePointer?, UnsafePointer<CChar>?, Int, Double,
            UnsafeMutablePointer<crowd_times>?, UnsafeMutablePointer<CChar>?
        ) -> CInt
    ) throws -> crowd_times {
        var times = crowd_times()
        var fault = Fault()
        let status = request.bytes.withUnsafeBytes { bytes in
            fault.withBytes {
                let start = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
                return body(crowd, start, bytes.count, 10, &times, $0)
            }
        }
        guard status == 0 else { throw Failure(fault.text) }
        guard times.missed == 0 else {
            throw Failure("\(times.missed) of \(count) had nothing within 10 s")
        }
        return times
    }
}
