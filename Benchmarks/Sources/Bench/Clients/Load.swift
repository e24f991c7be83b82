import CLoad
import Foundation

/// What one thread of clients got out of a server in one turn.
struct Load {
    let requestsPerSecond: Double
    /// Time that the server spent on a request, user and system, in microseconds.
    let cpuPerRequest: Double
    /// Microseconds that 99 of 100 answers took at most.
    let p99: Double
    let status: Int
    /// Answers with another status than the first one's, of all.
    let strangerShare: Double
    /// How many of the connections went on with a TLS session, of all but the first ones.
    let resumedShare: Double
    /// Bytes that arrived, for each answer.
    let byteCount: Double
    /// What went wrong, if something did.
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

    /// Sends requests no two of which are the same.
    init(_ mix: RequestMix, to server: Server, _ way: RequestMix.Way, seconds: Double) {
        var result = load_result()
        let before = ProcessUse(of: server.processID)
        mix.withLoad(to: server, way, seconds: seconds) { _ = load_run_varied($0, &result) }
        // What is still to be done about connections that ended counts, too.
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
