import HTTPTypes
package import HTTPWire
import Synchronization

/// A stream that is compressed part by part: each can be decoded when it has arrived.
///
/// It holds 22 KiB while it lasts.
final class CodedStream: ResponseStream {
    private let source: any ResponseStream
    private let deflater: Mutex<Deflater>

    init(_ source: any ResponseStream, as coding: ContentCoding) {
        self.source = source
        deflater = Mutex(Deflater(coding, .stream))
    }

    func next(_ waker: StreamWaker) -> StreamPart {
        switch source.next(waker) {
        case .bytes(let bytes): .bytes(coded(bytes))
        case .shared(let shared, let own, _): .bytes(coded(shared.body + own))
        case .pending: .pending
        case .askAgain: .askAgain
        case .end: .end
        }
    }

    var topics: [Topic] { source.topics }

    var time: Duration? { source.time }

    var byteCount: Int { source.byteCount + (22 << 10) }

    func idlePart() -> [UInt8] {
        let part = source.idlePart()
        return part.isEmpty ? [] : coded(part)
    }

    private func coded(_ bytes: [UInt8]) -> [UInt8] {
        deflater.withLock { $0.code(bytes, .sync) }
    }

    func ending() -> [UInt8] {
        let last = source.ending()
        return deflater.withLock { $0.code(last, .finish) }
    }

    func closed() {
        source.closed()
    }
}

extension Response {
    /// The same, its stream compressed if the client would have it so.
    ///
    /// - Parameter choice: What Accept-Encoding asks for.
    /// - Returns: A response that says how it is coded, and that it depends on Accept-Encoding.
    package func streamCoded(_ choice: CodingChoice) -> Response {
        guard case .stream(let stream) = body else { return self }
        var response = self
        let vary = fields[.vary] ?? ""
        if !vary.contains("Accept-Encoding") {
            response.fields[.vary] = vary.isEmpty ? "Accept-Encoding" : vary + ", Accept-Encoding"
        }
        guard choice.coding != .identity else { return response }
        response.fields[.contentEncoding] = choice.coding.name
        response.body = .stream(CodedStream(stream, as: choice.coding))
        return response
    }
}
