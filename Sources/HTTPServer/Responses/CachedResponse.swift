internal import CBytes
package import HTTPTypes
package import HTTPWire

/// A response that is made once and sent to many.
///
/// It is one object with all its bytes in it, but for a long body and for what has no head: of the
/// many that a server keeps, most are in no core's cache when they are asked for. What sending looks
/// at comes first.
package struct CachedResponse: @unchecked Sendable {
    // Nobody changes it once it is made.
    private let storage: Storage

    /// What differs from one sending to the next.
    package struct PerRequestFields: Sendable {
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
    ///   - response: Without the fields that a ``PerRequestFields`` brings.
    ///   - coding: That of the body.
    ///   - openField: The name of a field whose value is a number of the moment, with its colon.
    ///   - savedByteCount: Bytes that it leaves out.
    package init(
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
        ) { $0.append(bytesOf: head) }
    }

    /// Makes one whose head is written for it.
    ///
    /// - Parameters:
    ///   - status: That of the head.
    ///   - headByteLimit: The most bytes that the head has.
    ///   - coding: That of the content.
    ///   - openField: The name of a field whose value is a number of the moment, with its colon.
    ///   - body: Its content.
    ///   - savedByteCount: Bytes that it leaves out.
    ///   - writeHead: Writes the status line and the fields, Content-Length included, without those
    ///     that are added when it is sent: the open field, those of the ``PerRequestFields``, Date and
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
        storage = Storage.make(byteLimit: byteLimit) {
            Header(
                openFieldByteCount: UInt32(openField.count),
                bodyByteCount: body.count,
                savedByteCount: savedByteCount,
                status: status.code,
                separateBody: isLong ? body : nil,
                coding: coding
            )
        }
        storage.write(upTo: byteLimit) { header, output in
            if !isLong { output.append(bytesOf: body) }
            let start = output.count
            writeHead(&output)
            header.headByteCount = UInt32(output.count - start)
            output.append(bytesOf: openField)
        }
    }

    /// Makes one of content that becomes a part of a response, or a chunk of a stream.
    ///
    /// - Parameters:
    ///   - content: What is sent of it.
    ///   - part: Where the content is a piece of a gzip stream, what joining it to others takes.
    package init(content: [UInt8], part: GzipPart? = nil) {
        // In the place of a head, what stands before the chunk's bytes.
        var line: [UInt8] = []
        line.append(hexadecimal: content.count)
        line.append(bytesOf: Array("\r\n".utf8))
        storage = Storage.make(byteLimit: line.count) {
            Header(
                headByteCount: UInt32(line.count),
                bodyByteCount: content.count,
                separateBody: content,
                part: part
            )
        }
        storage.write(upTo: line.count) { $1.append(bytesOf: line) }
    }

    /// Makes one of content that was written for it.
    ///
    /// - Parameters:
    ///   - draft: Its content.
    ///   - status: That of the head.
    ///   - openField: The name of a field whose value is a number of the moment, with its colon.
    ///   - writeHead: As for the content that is there already; it and the open field's name have
    ///     the room that the draft was made with.
    package init(
        _ draft: consuming Draft,
        status: HTTPResponse.Status,
        openField: [UInt8],
        writeHead: (inout OutputSpan<UInt8>) -> Void
    ) {
        storage = draft.storage
        storage.write(behind: draft.byteCount, upTo: draft.room) { header, output in
            header.bodyByteCount = output.count
            header.status = status.code
            header.openFieldByteCount = UInt32(openField.count)
            let start = output.count
            writeHead(&output)
            header.headByteCount = UInt32(output.count - start)
            output.append(bytesOf: openField)
        }
    }

    /// Has the first bytes of one fetched to the core's cache, while something else is done.
    ///
    /// - Parameter address: What the reference to it is, which is all that there is of a response.
    package static func prefetch(at address: UnsafeRawPointer) {
        for offset in stride(from: 0, to: 384, by: 64) { freshet_prefetch(address + offset) }
    }

    /// The same for all who send it.
    package var id: ObjectIdentifier { ObjectIdentifier(storage) }
}

/// What there is of it.
extension CachedResponse {
    package var headByteCount: Int { Int(storage.part { $0.headByteCount }) }
    package var bodyByteCount: Int { storage.part { $0.bodyByteCount } }

    /// Bytes that it leaves out, since it has changes in the place of a whole feed.
    package var savedByteCount: Int { storage.part { $0.savedByteCount } }

    package var status: Int { storage.part { $0.status } }

    /// The coding of the body: identity too where another was asked for and would not have been
    /// smaller.
    package var coding: ContentCoding { storage.part { $0.coding } }

    /// Where the body is a piece of a gzip stream, what joining it to others takes.
    package var part: GzipPart? { storage.part { $0.part } }

    /// Whether the body is long, and sent from where it is, or there is no head.
    var hasSeparateBody: Bool { storage.part { $0.separateBody != nil } }

    /// The body; a copy, unless it is kept apart.
    package var body: [UInt8] {
        storage.part { $0.separateBody } ?? Array(capacity: bodyByteCount) { writeBody(to: &$0) }
    }
}

/// Writing it.
extension CachedResponse {
    /// The most bytes that its head has with the fields of a request.
    func headByteLimit(_ perRequest: PerRequestFields) -> Int {
        Int(storage.part { $0.headByteCount + $0.openFieldByteCount })
            + OutputSpan<UInt8>.decimalByteLimit + 2 + perRequest.lines.count
    }

    /// Writes the head but for Date, Connection and the empty line.
    func writeHead(_ perRequest: PerRequestFields, to output: inout OutputSpan<UInt8>) {
        storage.withUnsafeMutablePointers { header, bytes in
            let isBodyHere = header.pointee.separateBody == nil
            let bytes = UnsafePointer(bytes) + (isBodyHere ? header.pointee.bodyByteCount : 0)
            let count = Int(header.pointee.headByteCount)
            let openCount = Int(header.pointee.openFieldByteCount)
            let number = openCount > 0 ? perRequest.number : nil
            // The open field's name stands behind the head.
            let start = UnsafeBufferPointer(
                start: bytes,
                count: number == nil ? count : count + openCount
            )
            output.append(copying: start)
            guard let number else { return }
            output.append(decimal: number)
            output.append(UInt8(ascii: "\r"))
            output.append(UInt8(ascii: "\n"))
        }
        if !perRequest.lines.isEmpty { output.append(bytesOf: perRequest.lines) }
    }

    /// Writes the body.
    package func writeBody(to output: inout OutputSpan<UInt8>) {
        storage.withUnsafeMutablePointers { header, bytes in
            if let body = header.pointee.separateBody { return output.append(bytesOf: body) }
            let count = header.pointee.bodyByteCount
            output.append(copying: UnsafeBufferPointer(start: UnsafePointer(bytes), count: count))
        }
    }

    /// How many bytes it has as a chunk.
    var chunkByteCount: Int { headByteCount + bodyByteCount + 2 }

    /// Writes it as a chunk (RFC 9112 §7.1), which only one of content alone can be.
    func writeChunk(to output: inout OutputSpan<UInt8>) {
        storage.withUnsafeMutablePointers { header, bytes in
            let count = Int(header.pointee.headByteCount)
            output.append(copying: UnsafeBufferPointer(start: UnsafePointer(bytes), count: count))
        }
        writeBody(to: &output)
        output.append(UInt8(ascii: "\r"))
        output.append(UInt8(ascii: "\n"))
    }

    /// The head but for Date, Connection and the empty line.
    func head(_ perRequest: PerRequestFields = PerRequestFields()) -> [UInt8] {
        Array(capacity: headByteLimit(perRequest)) { writeHead(perRequest, to: &$0) }
    }

    /// The response again, for a caller without a connection.
    package func response(_ perRequest: PerRequestFields) -> Response {
        let lines = head(perRequest).split(separator: UInt8(ascii: "\n")).map { $0.dropLast() }
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
