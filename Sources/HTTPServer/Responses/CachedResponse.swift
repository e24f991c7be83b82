package import HTTPTypes
package import HTTPWire

/// A response that is made once and sent to many.
///
/// What sending it looks at comes first: of the many that a server keeps, most are in no core's
/// cache when they are asked for.
package final class CachedResponse: Sendable {
    /// The status line and the fields, without those that are added when it is sent: the open
    /// field, those of the ``Completion``, Date and Connection.
    package let head: [UInt8]

    package let body: [UInt8]

    /// The name of a field whose value is a number of the moment, with its colon; empty: there is
    /// none.
    let openField: [UInt8]

    /// Bytes that it leaves out, since it has changes in the place of a whole feed.
    package let savedByteCount: Int

    package var status: Int { code.code }
    private let code: HTTPResponse.Status

    /// The coding of ``body``: identity too where another was asked for and would not have been
    /// smaller.
    package let coding: ContentCoding

    /// Where ``body`` is a piece of a gzip stream, what joining it to others takes.
    package let part: GzipPart?

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
    ///   - coding: That of the body.
    ///   - openField: The name of a field whose value is a number of the moment, with its colon;
    ///     the same array for all, or each is somewhere else in memory.
    ///   - savedByteCount: Bytes that it leaves out.
    ///   - part: What joining it to others takes.
    package convenience init(
        _ response: Response,
        coding: ContentCoding = .identity,
        openField: [UInt8] = [],
        savedByteCount: Int = 0,
        part: GzipPart? = nil
    ) {
        var head: [UInt8] = []
        var fields = response.fields
        if response.status.allowsContent {
            fields[.contentLength] = String(response.body.byteCount ?? 0)
        }
        ResponseHeadEncoder.append(status: response.status, fields: fields, to: &head)
        var body: [UInt8] = []
        if case .bytes(let bytes) = response.body {
            body = bytes
        } else {
            precondition(response.body.byteCount == 0, "only bytes can be cached")
        }
        self.init(
            status: response.status,
            head: head.fitted,
            coding: coding,
            openField: openField,
            body: body,
            savedByteCount: savedByteCount,
            part: part
        )
    }

    /// Makes one whose head is written already.
    ///
    /// - Parameters:
    ///   - status: That of the head.
    ///   - head: The status line and the fields, Content-Length included, as ``head`` has them.
    ///   - coding: That of the content.
    ///   - openField: The name of a field whose value is a number of the moment, with its colon.
    ///   - body: Its content.
    ///   - savedByteCount: Bytes that it leaves out.
    ///   - part: What joining it to others takes.
    package init(
        status: HTTPResponse.Status,
        head: [UInt8],
        coding: ContentCoding,
        openField: [UInt8],
        body: [UInt8],
        savedByteCount: Int = 0,
        part: GzipPart? = nil
    ) {
        code = status
        self.head = head
        self.coding = coding
        self.openField = openField
        self.body = body
        self.savedByteCount = savedByteCount
        self.part = part
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
