package import HTTPTypes
import HTTPWire

/// A response that is made once and sent to many.
package final class BakedResponse: Sendable {
    package let status: Int

    /// The status line and the fields, without Date, Connection and the empty line.
    package let head: [UInt8]

    package let body: [UInt8]

    /// Bakes a response whose body is bytes or none.
    package init(_ response: Response) {
        status = response.status.code
        var head: [UInt8] = []
        var fields = response.fields
        if response.status.allowsContent {
            fields[.contentLength] = String(response.body.byteCount ?? 0)
        }
        ResponseHeadEncoder.append(status: response.status, fields: fields, to: &head)
        self.head = head
        if case .bytes(let bytes) = response.body {
            body = bytes
        } else {
            precondition(response.body.byteCount == 0, "only bytes can be baked")
            body = []
        }
    }

    private init(status: Int, head: [UInt8], body: [UInt8]) {
        self.status = status
        self.head = head
        self.body = body
    }

    /// The same content under a head in which `fields` stand in the place of those of the same
    /// names.
    package func replacing(_ fields: HTTPFields) -> BakedResponse {
        let replaced = fields.map { Array($0.name.rawName.utf8) + [UInt8(ascii: ":")] }
        var head: [UInt8] = []
        head.reserveCapacity(self.head.count + 64)
        for line in self.head.split(separator: UInt8(ascii: "\n")) {
            if replaced.contains(where: { line.starts(with: $0) }) { continue }
            head += line
            head.append(UInt8(ascii: "\n"))
        }
        ResponseHeadEncoder.append(fields: fields, to: &head)
        return BakedResponse(status: status, head: head, body: body)
    }

    /// The response again, for a caller without a connection.
    package var response: Response {
        var fields = HTTPFields()
        for line in head.split(separator: UInt8(ascii: "\n")).dropFirst() {
            let parts = line.dropLast().split(separator: UInt8(ascii: ":"), maxSplits: 1)
            guard parts.count == 2,
                let name = HTTPField.Name(String(decoding: parts[0], as: UTF8.self))
            else { continue }
            let value = String(decoding: parts[1].dropFirst(), as: UTF8.self)
            fields.append(HTTPField(name: name, value: value))
        }
        return Response(status: .init(code: status), fields: fields, body: .bytes(body))
    }
}

extension HTTPResponse.Status {
    /// Whether a response of this status has content (RFC 9110 §6.4.1).
    var allowsContent: Bool {
        kind != .informational && self != .noContent && self != .notModified
    }
}
