import CLoad
import Foundation

/// The results of a turn in which one thread of clients sent requests to a server.
struct Load {
    let requestsPerSecond: Double
    /// The time that the server spent on a request, user and system, in microseconds.
    let cpuPerRequest: Double
    /// The microseconds that 99 of 100 answers took at most.
    let p99: Double
    let status: Int
    /// The share of answers with another status than the first one's.
    let strangerShare: Double
    /// The share of connections that resumed a TLS session, among all but the first ones.
    let resumedShare: Double
    /// The number of bytes that arrived for each answer.
    let byteCount: Double
    /// The fault in words; `nil`: nothing went wrong.
    let fault: String?

    /// Keeps the same request under way on each connection.
    init(_ side: Side, connections: Int, seconds: Double) {
        var result = load_result()
        let before = ProcessUse(of: side.server.processID)
        _ = side.server.withTarget(side.request.bytes) { target in
            load_run(target, CInt(connections), seconds, &result)
        }
        let after = ProcessUse(of: side.server.processID)
        self.init(result, cpuSeconds: after.cpuSeconds - before.cpuSeconds)
    }

    /// Sends requests that all differ.
    init(_ mix: RequestMix, to server: Server, _ way: RequestMix.Way, seconds: Double) {
        var result = load_result()
        let before = ProcessUse(of: server.processID)
        mix.withLoad(to: server, way, seconds: seconds) { _ = load_run_varied($0, &result) }
        // The server's work for connections that have ended counts, too.
        Thread.sleep(forTimeInterval: 0.02)
        let after = ProcessUse(of: server.processID)
        self.init(
            result,
            cpuSeconds: after.cpuSeconds - before.cpuSeconds,
            connections: way.connections
        )
    }

    private init(_ result: load_result, cpuSeconds: Double, connections: Int = 0) {
        let answers = Double(result.answers)
        requestsPerSecond = answers / result.seconds
        cpuPerRequest = cpuSeconds * 1e6 / answers
        p99 = result.p99
        status = Int(result.status)
        strangerShare = Double(result.strangers) / answers
        resumedShare = Double(result.resumptions) / (answers - Double(connections))
        byteCount = Double(result.bytes) / answers
        let fault = withUnsafeBytes(of: result.fault) { bytes in
            String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        self.fault = fault.isEmpty ? nil : fault
    }
}
