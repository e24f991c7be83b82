import CZlib
import HTTPClient
import HTTPTypes
import Synchronization
import TestSupport

extension HTTPClient.Request {
    /// A request whose time does not run out on a busy machine.
    static func patient(
        _ url: String,
        _ method: HTTPRequest.Method = .get,
        fields: HTTPFields = [:],
        body: [UInt8]? = nil
    ) -> HTTPClient.Request {
        var request = HTTPClient.Request(method, url, fields: fields, body: body)
        request.limits.whole = .seconds(60)
        request.limits.stalled = .seconds(50)
        return request
    }
}

extension HTTPClient.Response {
    var text: String { String(decoding: body, as: UTF8.self) }
}

/// What a server has seen.
final class Seen: Sendable {
    private let texts = Mutex<[String]>([])

    func add(_ text: String) { texts.withLock { $0.append(text) } }

    var all: [String] { texts.withLock { $0 } }
}

/// The content coding deflate (RFC 1950).
func deflated(_ bytes: [UInt8]) -> [UInt8] {
    var output = [UInt8](repeating: 0, count: Int(compressBound(uLong(bytes.count))))
    var count = uLongf(output.count)
    compress2(&output, &count, bytes, uLong(bytes.count), 9)
    return Array(output[..<Int(count)])
}
