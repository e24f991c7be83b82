package import HTTPTypes
import HTTPWire

/// A response that is made once and sent to many.
package final class CachedResponse: Sendable {
    package var status: Int { code.code }
    private let code: HTTPResponse.Status

    /// The status line and the fields, without those that are added when it is sent: the open
    /// field, those of the ``Completion``, Date and Connection.
    package let head: [UInt8]

    /// The name of a field whose value is a number of the moment, with its colon; empty: there is
    /// none.
    let openField: [UInt8]

    package let body: [UInt8]

    /// Bytes that it leaves out, since it has changes in the place of a whole feed.
    package let savedByteCount: Int

    /// What differs from one sending to the next.
    package struct Completion: Sendable {
        /// Whole field lines.
        package var lines: [UInt8]

        /// The value of the open field, where the response has one; `nil`: it is left out.
        package var number: Int?

        package init(lines: [UInt8] = [], number: Int? = nil) {
            self.lines = lines
            self.number = number
        }
    }

    /// Makes one of a response whose body is bytes or none.
    ///
    /// - Parameters:
    ///   - response: Without the fields that a ``Completion`` brings.
    ///   - openField: The name of a field whose value is a number of the moment.
    ///   - savedByteCount: Bytes that it leaves out.
    package init(
        _ response: Response,
        openField: HTTPField.Name? = nil,
        savedByteCount: Int = 0
    ) {
        self.savedByteCount = savedByteCount
        code = response.status
        self.openField = openField.map { Array($0.rawName.utf8) + Array(": ".utf8) } ?? []
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
            precondition(response.body.byteCount == 0, "only bytes can be cached")
            body = []
        }
    }

    /// Makes one whose head is written already.
    ///
    /// - Parameters:
    ///   - status: That of the head.
    ///   - head: The status line and the fields, Content-Length included, as ``head`` has them.
    ///   - openField: The name of a field whose value is a number of the moment, with its colon.
    ///   - body: Its content.
    package init(
        status: HTTPResponse.Status,
        head: [UInt8],
        openField: [UInt8],
        body: [UInt8]
    ) {
        code = status
        self.head = head
        self.openField = openField
        self.body = body
        savedByteCount = 0
    }

    /// The response again, for a caller without a connection.
    package func response(_ completion: Completion) -> Response {
        var lines = head
        lines.append(completion, openField: openField)
        var fields = HTTPFields()
        for line in lines.split(separator: UInt8(ascii: "\n")).dropFirst() {
            let parts = line.dropLast().split(separator: UInt8(ascii: ":"), maxSplits: 1)
            guard parts.count == 2,
                let name = HTTPField.Name(String(decoding: parts[0], as: UTF8.self))
            else { continue }
            let value = String(decoding: parts[1].dropFirst(), as: UTF8.self)
            fields.append(HTTPField(name: name, value: value))
        }
        return Response(status: code, fields: fields, body: .bytes(body))
    }
}

extension [UInt8] {
    /// Adds the lines of a completion.
    mutating func append(_ completion: CachedResponse.Completion, openField: [UInt8]) {
        if let number = completion.number, !openField.isEmpty {
            append(bytesOf: openField)
            append(decimal: number)
            append(UInt8(ascii: "\r"))
            append(UInt8(ascii: "\n"))
        }
        if !completion.lines.isEmpty { self += completion.lines }
    }

    /// Adds bytes by a pointer: an array that is appended is also retained.
    package mutating func append(bytesOf other: [UInt8]) {
        other.withUnsafeBufferPointer { append(contentsOf: $0) }
    }

    /// Adds a number from 0 in hexadecimal digits.
    mutating func append(hexadecimal number: Int) {
        if number > 15 { append(hexadecimal: number >> 4) }
        let digit = UInt8(truncatingIfNeeded: number & 15)
        append(digit + (digit < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10))
    }

    /// Adds a number from 0 in digits.
    package mutating func append(decimal number: Int) {
        if number > 9 { append(decimal: number / 10) }
        append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number % 10))
    }
}

extension HTTPResponse.Status {
    /// Whether a response of this status has content (RFC 9110 §6.4.1).
    var allowsContent: Bool {
        kind != .informational && self != .noContent && self != .notModified
    }
}
