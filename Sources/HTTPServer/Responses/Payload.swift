package import Gzip
package import HTTPTypes
package import HTTPWire

/// Immutable bytes that are made once and sent many times, counted by reference: a response with
/// its head, or content alone.
package final class Payload: Sendable {
    package let status: Int
    /// The coding of the body; identity also if the requested coding would not have made it
    /// smaller.
    package let coding: ContentCoding
    package let bodyByteCount: Int
    /// The number of bytes saved by sending changes instead of a whole feed.
    package let savedByteCount: Int
    /// If the body is a piece of a gzip stream, the data for joining it to other pieces.
    package let part: GzipPart?

    /// The stored bytes: a short body, the head, and the name, with its colon, of the field whose
    /// value is filled in when the response is sent; empty in a payload of content alone.
    private let bytes: [UInt8]
    /// The range of the head in ``bytes``.
    private let headRange: Range<Int>
    /// The body, if it is stored apart: it is long, or the payload has no head.
    private let separateBody: [UInt8]?

    /// Encodes a response whose body is bytes or empty.
    ///
    /// - Parameters:
    ///   - response: The response, without the fields that a ``Response/OwnFields`` adds.
    ///   - openField: The name, with its colon, of a field whose value is a number that is filled
    ///     in when the response is sent.
    ///   - savedByteCount: The number of bytes saved by sending changes instead of a whole feed.
    package convenience init(
        _ response: Response,
        coding: ContentCoding = .identity,
        openField: [UInt8] = [],
        savedByteCount: Int = 0
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
            headByteLimit: head.count,
            coding: coding,
            openField: openField,
            body: body,
            savedByteCount: savedByteCount
        ) { $0.append(copying: head.span) }
    }

    /// Makes a payload whose head is written by a closure.
    ///
    /// - Parameters:
    ///   - headByteLimit: The most bytes that the head has.
    ///   - openField: The name, with its colon, of a field whose value is a number that is filled
    ///     in when the response is sent.
    ///   - savedByteCount: The number of bytes saved by sending changes instead of a whole feed.
    ///   - writeHead: Writes the status line and the fields, including Content-Length, but without
    ///     the fields that are added at sending: the open field, ``Response/OwnFields``, Date and
    ///     Connection.
    package init(
        status: HTTPResponse.Status,
        headByteLimit: Int,
        coding: ContentCoding,
        openField: [UInt8],
        body: [UInt8],
        savedByteCount: Int = 0,
        writeHead: (inout OutputSpan<UInt8>) -> Void
    ) {
        let isLong = body.count >= WriteBuffer.copyByteLimit
        let byteLimit = headByteLimit + openField.count + (isLong ? 0 : body.count)
        var headRange = 0..<0
        bytes = Array(capacity: byteLimit) { output in
            if !isLong { output.append(copying: body.span) }
            let start = output.count
            writeHead(&output)
            headRange = start..<output.count
            output.append(copying: openField.span)
        }
        self.headRange = headRange
        self.status = status.code
        self.coding = coding
        self.savedByteCount = savedByteCount
        bodyByteCount = body.count
        separateBody = isLong ? body : nil
        part = nil
    }

    /// Makes a payload of content alone, to be sent as a part of a response or as a chunk of a
    /// stream.
    ///
    /// - Parameter part: If the content is a piece of a gzip stream, the data for joining it to
    ///   other pieces.
    package init(content: [UInt8], part: GzipPart? = nil) {
        bytes = []
        headRange = 0..<0
        status = 0
        coding = .identity
        savedByteCount = 0
        bodyByteCount = content.count
        separateBody = content
        self.part = part
    }
}

/// Reads the sizes and the body.
extension Payload {
    package var headByteCount: Int { headRange.count }

    /// The number of bytes of the body before it was coded as a piece of a gzip stream.
    package var contentByteCount: Int { part?.contentCount ?? bodyByteCount }

    /// Whether the body is stored apart: it is long, or the payload has no head.
    var hasSeparateBody: Bool { separateBody != nil }

    /// The body: a copy, unless it is stored apart.
    package var body: [UInt8] {
        separateBody ?? Array(bytes[..<bodyByteCount])
    }
}

/// Writes the payload to the output of a connection.
extension Payload {
    /// Returns an upper bound of the head's length in bytes, with the fields of one request's
    /// response.
    func headByteLimit(_ own: Response.OwnFields) -> Int {
        bytes.count - headRange.lowerBound + OutputSpan<UInt8>.decimalByteLimit + 2
            + own.lines.count
    }

    /// Writes the head, without Date, Connection and the empty line that ends it.
    func writeHead(_ own: Response.OwnFields, to output: inout OutputSpan<UInt8>) {
        if headRange.upperBound < bytes.count, let number = own.number {
            write(headRange.lowerBound..<bytes.count, to: &output)
            output.append(decimal: number)
            output.append(UInt8(ascii: "\r"))
            output.append(UInt8(ascii: "\n"))
        } else {
            write(headRange, to: &output)
        }
        if !own.lines.isEmpty { output.append(copying: own.lines.span) }
    }

    /// Writes the body.
    package func writeBody(to output: inout OutputSpan<UInt8>) {
        if let separateBody { return output.append(copying: separateBody.span) }
        write(0..<bodyByteCount, to: &output)
    }

    /// Writes a range of ``bytes``.
    private func write(_ range: Range<Int>, to output: inout OutputSpan<UInt8>) {
        // A span of the property itself would not live long enough for a part of it to be taken.
        let bytes = bytes
        output.append(copying: bytes.span.extracting(range))
    }

    /// Returns the head, without Date, Connection and the empty line that ends it.
    func head(_ own: Response.OwnFields = Response.OwnFields()) -> [UInt8] {
        Array(capacity: headByteLimit(own)) { writeHead(own, to: &$0) }
    }

    /// Returns the payload as a ``Response`` with fields and a body, for a caller without a
    /// connection.
    package func response(_ own: Response.OwnFields) -> Response {
        let lines = head(own).split(separator: UInt8(ascii: "\n")).map { $0.dropLast() }
        let words = (lines.first ?? []).split(separator: UInt8(ascii: " "), maxSplits: 2)
        let reason = words.count > 2 ? String(decoding: words[2], as: UTF8.self) : ""
        var fields = HTTPFields()
        for line in lines.dropFirst() {
            let parts = line.split(separator: UInt8(ascii: ":"), maxSplits: 1)
            guard parts.count == 2,
                let name = HTTPField.Name(String(decoding: parts[0], as: UTF8.self))
            else { continue }
            let value = String(decoding: parts[1].dropFirst(), as: UTF8.self)
            fields.append(HTTPField(name: name, value: value))
        }
        return Response(
            status: HTTPResponse.Status(code: status, reasonPhrase: reason),
            fields: fields,
            body: .bytes(body)
        )
    }
}
