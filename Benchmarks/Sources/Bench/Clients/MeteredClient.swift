import CLoad
import Foundation

/// A client with one connection at a time, whose bytes are counted.
final class MeteredClient {
    private let server: Server
    private let meter: OpaquePointer
    private var pending = Data()
    private var buffer = [CChar](repeating: 0, count: 1 << 16)

    init(_ server: Server) throws {
        guard let meter = meter_make(CInt(server.port), server.isSecure) else {
            throw Failure("there is no memory for a client")
        }
        self.server = server
        self.meter = meter
    }

    deinit { meter_free(meter) }

    /// The bytes so far, as TCP carries them.
    struct Counts {
        let sent: Int
        let received: Int
        /// Whether a connection went on with an earlier one's TLS session.
        let isResumed: Bool
    }

    var counts: Counts {
        let counts = meter_counts(meter)
        return Counts(
            sent: Int(counts.sent),
            received: Int(counts.received),
            isResumed: counts.is_resumed
        )
    }

    /// Sends a request, on a new connection where there is none.
    func send(_ request: Request) throws {
        var fault = Fault()
        let bytes = request.bytes
        let outcome = bytes.withUnsafeBytes { bytes in
            fault.withBytes {
                meter_send(meter, bytes.bindMemory(to: CChar.self).baseAddress, bytes.count, $0)
            }
        }
        guard outcome == 0 else { throw Failure("\(server.name): not sent: \(fault.text)") }
    }

    /// Waits for bytes.
    ///
    /// - Returns: `nil` when none come in time.
    /// - Throws: ``Failure`` when the server closes the connection.
    func receive(within seconds: Double) throws -> Data? {
        let count = meter_receive(meter, &buffer, buffer.count, seconds)
        guard count != 0 else { throw Failure("\(server.name) closed a connection") }
        return count < 0 ? nil : buffer.withUnsafeBytes { Data($0.prefix(count)) }
    }

    /// Receives the answer to a request, whose head says how long it is.
    func answer(within seconds: Double = 20) throws -> Answer {
        while true {
            if let answer = takeAnswer() { return answer }
            guard let more = try receive(within: seconds) else {
                throw Failure("\(server.name): no answer within \(seconds.text(0)) s")
            }
            pending += more
        }
    }

    /// Takes a whole answer out of what has arrived.
    private func takeAnswer() -> Answer? {
        guard let end = pending.firstRange(of: Data("\r\n\r\n".utf8))?.upperBound else {
            return nil
        }
        let head = Answer(Data(pending[..<end]))
        let length = head.status == 304 ? 0 : head["Content-Length"].flatMap { Int($0) } ?? 0
        guard pending.endIndex - end >= length else { return nil }
        defer { pending = Data(pending[(end + length)...]) }
        return Answer(Data(pending[..<(end + length)]))
    }

    /// Receives the head of an answer that has no end; what follows it stays to be received.
    func head(within seconds: Double = 20) throws -> (head: Answer, rest: Data) {
        while true {
            if let end = pending.firstRange(of: Data("\r\n\r\n".utf8))?.upperBound {
                defer { pending = Data() }
                return (Answer(Data(pending[..<end])), Data(pending[end...]))
            }
            guard let more = try receive(within: seconds) else {
                throw Failure("\(server.name): no answer within \(seconds.text(0)) s")
            }
            pending += more
        }
    }

    /// Closes the connection.
    func hangUp() {
        meter_hang_up(meter)
        pending = Data()
    }
}
