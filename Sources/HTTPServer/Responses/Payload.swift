package import Gzip
package import HTTPTypes
package import HTTPWire

/// A response that is made once and sent many times.
///
/// All its bytes are in one object, except for a long body or for content without a head: most of
/// the many cached responses are in no core's cache when they are asked for. The properties needed
/// for sending come first in the object.
package struct Payload: @unchecked Sendable {
    // The storage does not change once it is made.
    private let storage: Storage

    /// Makes a cached response from a response whose body is bytes or none.
    ///
    /// - Parameters:
    ///   - response: The response, without the fields that a ``Response.OwnFields`` brings.
    ///   - coding: The coding of the body.
    ///   - openField: The name, with its colon, of a field whose value is a number that is filled
    ///     in when the response is sent.
    ///   - savedByteCount: The number of bytes saved by sending changes instead of a whole feed.
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

    /// Makes a cached response whose head is written by a closure.
    ///
    /// - Parameters:
    ///   - status: The status in the head.
    ///   - headByteLimit: The most bytes that the head has.
    ///   - coding: The coding of the content.
    ///   - openField: The name, with its colon, of a field whose value is a number that is filled
    ///     in when the response is sent.
    ///   - body: The content.
    ///   - savedByteCount: The number of bytes saved by sending changes instead of a whole feed.
    ///   - writeHead: Writes the status line and the fields, including Content-Length, but without
    ///     the fields that are added at sending: the open field, the ``Response.OwnFields``, Date and
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

    /// Makes a cached response without a head, which is sent as a part of a response or a chunk of
    /// a stream.
    ///
    /// - Parameters:
    ///   - content: The bytes to be sent.
    ///   - part: If the content is a piece of a gzip stream, the data for joining it to other
    ///     pieces.
    package init(content: [UInt8], part: GzipPart? = nil) {
        // In place of a head stands the line that comes before the chunk's bytes.
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

    /// The identity of the storage, equal for all copies of this response.
    package var id: ObjectIdentifier { ObjectIdentifier(storage) }
}

/// The properties of the response.
extension Payload {
    package var headByteCount: Int { Int(storage.part { $0.headByteCount }) }
    package var bodyByteCount: Int { storage.part { $0.bodyByteCount } }

    /// The number of bytes saved by sending changes instead of a whole feed.
    package var savedByteCount: Int { storage.part { $0.savedByteCount } }

    package var status: Int { storage.part { $0.status } }

    /// The coding of the body; identity also when the coding that was asked for would not have made
    /// the body smaller.
    package var coding: ContentCoding { storage.part { $0.coding } }

    /// If the body is a piece of a gzip stream, the data for joining it to other pieces.
    package var part: GzipPart? { storage.part { $0.part } }

    /// The number of bytes of the body before it was coded as a piece of a gzip stream.
    package var contentByteCount: Int {
        storage.part { $0.part?.contentCount ?? $0.bodyByteCount }
    }

    /// Whether the body is stored apart: it is long, or the response has no head.
    var hasSeparateBody: Bool { storage.part { $0.separateBody != nil } }

    /// The body: a copy, unless it is stored apart.
    package var body: [UInt8] {
        storage.part { $0.separateBody } ?? Array(capacity: bodyByteCount) { writeBody(to: &$0) }
    }
}

/// Functions that write the response.
extension Payload {
    /// Returns the most bytes that the head has with the fields of a request.
    func headByteLimit(_ own: Response.OwnFields) -> Int {
        Int(storage.part { $0.headByteCount + $0.openFieldByteCount })
            + OutputSpan<UInt8>.decimalByteLimit + 2 + own.lines.count
    }

    /// Writes the head except for Date, Connection and the empty line.
    func writeHead(_ own: Response.OwnFields, to output: inout OutputSpan<UInt8>) {
        storage.withUnsafeMutablePointers { header, bytes in
            let isBodyHere = header.pointee.separateBody == nil
            let bytes = UnsafePointer(bytes) + (isBodyHere ? header.pointee.bodyByteCount : 0)
            let count = Int(header.pointee.headByteCount)
            let openCount = Int(header.pointee.openFieldByteCount)
            let number = openCount > 0 ? own.number : nil
            // The open field's name stands after the head.
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
        if !own.lines.isEmpty { output.append(bytesOf: own.lines) }
    }

    /// Writes the body.
    package func writeBody(to output: inout OutputSpan<UInt8>) {
        storage.withUnsafeMutablePointers { header, bytes in
            if let body = header.pointee.separateBody { return output.append(bytesOf: body) }
            let count = header.pointee.bodyByteCount
            output.append(copying: UnsafeBufferPointer(start: UnsafePointer(bytes), count: count))
        }
    }

    /// The number of bytes of the response as a chunk.
    var chunkByteCount: Int { headByteCount + bodyByteCount + 2 }

    /// Writes the response as a chunk (RFC 9112 §7.1); it must be made of content alone.
    func writeChunk(to output: inout OutputSpan<UInt8>) {
        storage.withUnsafeMutablePointers { header, bytes in
            let count = Int(header.pointee.headByteCount)
            output.append(copying: UnsafeBufferPointer(start: UnsafePointer(bytes), count: count))
        }
        writeBody(to: &output)
        output.append(UInt8(ascii: "\r"))
        output.append(UInt8(ascii: "\n"))
    }

    /// Returns the head except for Date, Connection and the empty line.
    func head(_ own: Response.OwnFields = Response.OwnFields()) -> [UInt8] {
        Array(capacity: headByteLimit(own)) { writeHead(own, to: &$0) }
    }

    /// Returns the response as a ``Response``, for a caller without a connection.
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

/// The memory layout of a cached response.
extension Payload {
    struct Header {
        // The properties needed for sending are in the first 64 bytes of the object.
        var headByteCount: UInt32 = 0
        /// The length of the open field's name with its colon; 0: there is no open field.
        ///
        /// The value of an open field is a number that is filled in when the response is sent.
        var openFieldByteCount: UInt32 = 0
        var bodyByteCount: Int
        var savedByteCount = 0
        var status = 0
        /// The body, if it does not stand before the head in the same object.
        var separateBody: [UInt8]?
        var part: GzipPart?
        var coding = ContentCoding.identity
    }

    /// The object that holds a response: after its header come the body, which some requests take
    /// without the head, the head, and the open field's name.
    final class Storage: ManagedBuffer<Header, UInt8> {
        static func make(byteLimit: Int, _ header: () -> Header) -> Storage {
            let made = Storage.create(minimumCapacity: byteLimit) { _ in header() }
            return unsafeDowncast(made, to: Storage.self)
        }

        /// Writes the bytes, at most `limit`.
        @inline(__always)
        func write(
            upTo limit: Int,
            _ write: (inout Header, inout OutputSpan<UInt8>) -> Void
        ) {
            withUnsafeMutablePointers { header, bytes in
                let room = UnsafeMutableBufferPointer(start: bytes, count: limit)
                var output = OutputSpan(buffer: room, initializedCount: 0)
                write(&header.pointee, &output)
                _ = output.finalize(for: room)
            }
        }

        /// Returns a property of the header without a copy of the whole header.
        @inline(__always)
        func part<Value>(_ part: (borrowing Header) -> Value) -> Value {
            withUnsafeMutablePointerToHeader { part($0.pointee) }
        }
    }
}
