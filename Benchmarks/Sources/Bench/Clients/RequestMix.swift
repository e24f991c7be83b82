import CLoad
import Foundation

/// Requests that differ from each other, in the form that a load sends.
///
/// Each request has a number of its own, in a field that selects nothing and changes with each
/// sending.
final class RequestMix {
    /// The way that requests are sent.
    struct Way {
        /// The number of connections at a time.
        var connections = 64
        /// Whether each request has a connection of its own.
        var connects = false
        /// Whether a connection of one request resumes a TLS session.
        var resumes = false
        /// Whether the answer is a stream; one event of it is read.
        var streams = false
    }

    private let bytes: UnsafeMutableBufferPointer<CChar>
    private var requests: [varied_request] = []
    /// The first number of the next load.
    private var number: UInt64 = 1 << 32

    private static let mark = Array("0123456789ABCDEF".utf8)
    private static let field = (
        name: "traceparent", value: "00-4bf92f3577b34da60123456789ABCDEF-00f067aa0ba902b7-01"
    )

    init(_ drafts: [Request]) {
        let texts = drafts.map { $0.with(RequestMix.field.name, RequestMix.field.value).bytes }
        bytes = .allocate(capacity: texts.reduce(0) { $0 + $1.count })
        var start = 0
        for (draft, text) in zip(drafts, texts) {
            requests.append(request(draft, text, at: start))
            start += text.count
        }
    }

    deinit { bytes.deallocate() }

    private func request(_ draft: Request, _ text: [UInt8], at start: Int) -> varied_request {
        let slice = UnsafeMutableBufferPointer(rebasing: bytes[start..<start + text.count])
        _ = slice.initialize(from: text.map { CChar(bitPattern: $0) })
        let tag = Array((draft.fields.first { $0.name == "If-None-Match" }?.value ?? "").utf8)
        let place = tag.isEmpty ? nil : text.firstRange(of: Array("If-None-Match: ".utf8))
        return varied_request(
            bytes: slice.baseAddress,
            size: text.count,
            number_at: text.firstRange(of: RequestMix.mark)?.lowerBound ?? 0,
            tag_at: place?.upperBound ?? 0,
            tag_size: place == nil ? 0 : tag.count
        )
    }

    /// Calls a function in C with the requests to send.
    func withLoad<Result>(
        to server: Server,
        _ way: Way,
        seconds: Double,
        _ body: (UnsafePointer<varied_load>) throws -> Result
    ) rethrows -> Result {
        defer { number += 1 << 32 }
        return try requests.withUnsafeMutableBufferPointer { requests in
            var load = varied_load(
                port: CInt(server.port),
                secure: server.isSecure,
                connects: way.connects,
                resumes: way.resumes,
                streams: way.streams,
                requests: requests.baseAddress,
                count: requests.count,
                connections: CInt(way.connections),
                seconds: seconds,
                number: number
            )
            return try withUnsafePointer(to: &load, body)
        }
    }

    /// Sends each request once.
    ///
    /// - Throws: ``Failure`` when an answer has a status of failure.
    func sendEach(to server: Server, connections: Int = 8) throws {
        var fault = Fault()
        let status = withLoad(to: server, Way(connections: connections), seconds: 300) { load in
            fault.withBytes { load_send_each(load, $0) }
        }
        guard status == 0 else { throw Failure("\(server.name): \(fault.text)") }
    }
}
