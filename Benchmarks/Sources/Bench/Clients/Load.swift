import CLoad

/// What one thread of clients got out of a server in one turn.
struct Load {
    let requestsPerSecond: Double
    /// Time that the server spent on a request, user and system, in microseconds.
    let cpuPerRequest: Double
    /// Microseconds that 99 of 100 answers took at most.
    let p99: Double
    let status: Int
    /// What went wrong, if something did.
    let fault: String?

    /// Keeps a request under way on each connection.
    init(_ side: Side, connections: Int, seconds: Double) {
        var result = load_result()
        let before = ProcessUse(of: side.server.processID)
        _ = side.server.withTarget(side.request.bytes) { target in
            load_run(target, CInt(connections), seconds, &result)
        }
        let after = ProcessUse(of: side.server.processID)
        let answers = Double(result.answers)
        requestsPerSecond = answers / result.seconds
        cpuPerRequest = (after.cpuSeconds - before.cpuSeconds) * 1e6 / answers
        p99 = result.p99
        status = Int(result.status)
        let fault = withUnsafeBytes(of: result.fault) { bytes in
            String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        if !fault.isEmpty {
            self.fault = fault
        } else if result.strangers > 0 {
            self.fault = "\(result.strangers) answers with other statuses than \(result.status)"
        } else {
            self.fault = nil
        }
    }
}
