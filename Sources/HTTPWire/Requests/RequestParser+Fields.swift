/// Parsing of field lines (RFC 9112 §5), and of the fields that control the message.
extension RequestParser {
    /// Takes a line's first byte: a field's name, or the end of the head.
    ///
    /// Complete and valid lines, as nearly all are, are taken at once.
    mutating func startField(_ input: Span<UInt8>, at start: Int) throws(RequestError) -> Int {
        if input[start] == .carriageReturn {
            state = .headEnd
            return start + 1
        }
        let index = try takeLines(input, from: start)
        guard index == start else { return index }
        // White space here would be a folded line (RFC 9112 §5.2); a colon, a field without name.
        guard input[start].isTokenCharacter else { throw .invalidField }
        guard head.fields.count < limits.fieldLimit else {
            throw .tooManyFields(limit: limits.fieldLimit)
        }
        line.start = base + start
        state = .fieldName
        return start + 1
    }

    /// The number of fields for which there is room at first.
    private static let usualFieldCount = 24

    /// Takes complete and valid lines, up to the first other one or the limit of the room.
    ///
    /// - Returns: The index after them.
    /// - Throws: The reason why the request is refused for a line's meaning.
    private mutating func takeLines(
        _ input: Span<UInt8>,
        from start: Int
    ) throws(RequestError) -> Int {
        var index = start
        var fields: [RequestHead.Field] = []
        swap(&fields, &head.fields)
        defer { swap(&fields, &head.fields) }
        let known = fields.count
        let room = min(
            limits.fieldLimit - known,
            max(Self.usualFieldCount, fields.capacity - known)
        )
        try fields.append(addingCapacity: room) { fields throws(RequestError) in
            var controls = ControlPlaces()
            while fields.freeCapacity > 0 {
                let end = controls.next(in: input, from: index)
                guard let line = input.fieldLine(index, end) else { return }
                fields.append(RequestHead.Field(line, base))
                index = end &+ 2
                guard line.known != .other else { continue }
                head.index.add(line.known, at: known &+ fields.count &- 1)
                guard line.known.isForMessage else { continue }
                self.line.end = base + end
                try read(line.known, input.extracting(line.value))
            }
        }
        return index
    }

    /// Takes a field's name up to its colon.
    mutating func takeFieldName(_ input: Span<UInt8>, from start: Int) throws(RequestError) -> Int {
        for index in start..<input.count where !input[index].isTokenCharacter {
            guard input[index] == .colon else { throw .invalidField }
            line.nameEnd = base + index
            state = .fieldValue
            return index + 1
        }
        return input.count
    }

    /// Takes a field's value up to its carriage return.
    mutating func takeFieldValue(
        _ input: Span<UInt8>,
        from start: Int
    ) throws(RequestError) -> Int {
        let index = input.endOfFieldContent(from: start)
        guard index < input.count else { return index }
        guard input[index] == .carriageReturn else { throw .invalidField }
        line.end = base + index
        state = .fieldEnd
        return index + 1
    }

    /// Ends a field line at its line feed.
    mutating func endField(_ input: Span<UInt8>, at index: Int) throws(RequestError) {
        if base <= line.start {
            try readField(in: input, offset: base)
        } else {
            keep(input, upTo: index)
            let bytes = head.bytes
            try readField(in: bytes.span, offset: 0)
        }
        state = .fieldStart
    }

    /// Reads the complete line in `bytes`, which begin at index `offset` of the head.
    private mutating func readField(in bytes: Span<UInt8>, offset: Int) throws(RequestError) {
        let name = line.start - offset..<line.nameEnd - offset
        let known = KnownField(bytes, in: name)
        let line = FieldLine(
            known: known,
            nameStart: name.lowerBound,
            nameEnd: name.upperBound,
            value: bytes.trimmed(name.upperBound + 1..<line.end - offset)
        )
        if known != .other { head.index.add(known, at: head.fields.count) }
        head.fields.append(RequestHead.Field(line, offset))
        if known.isForMessage { try read(known, bytes.extracting(line.value)) }
    }

    /// Reads a field that controls the message.
    ///
    /// - Throws: The reason why the request is refused.
    private mutating func read(_ known: KnownField, _ value: Span<UInt8>) throws(RequestError) {
        switch known {
        case .host: try readHost(value)
        case .contentLength: try readContentLength(value)
        case .transferEncoding: try readTransferEncoding(value)
        case .connection: readConnection(value)
        case .expect: readExpect(value)
        default: break
        }
    }

    /// Sets the properties of the head that follow from all fields (RFC 9112 §3.2, §9.3).
    mutating func endHead() throws(RequestError) {
        guard seen.host || head.version == .http10 else { throw .invalidHost }
        head.isPersistent = !seen.close && (head.version == .http11 || seen.keepAlive)
        state = .whole
    }
}

extension RequestParser {
    /// Reads Host (RFC 9112 §3.2); without a host no http or https URI is complete (RFC 9110
    /// §4.2.1).
    private mutating func readHost(_ value: Span<UInt8>) throws(RequestError) {
        guard !seen.host, HostSyntax.isAuthority(value) else { throw .invalidHost }
        seen.host = true
    }

    /// Reads Content-Length (RFC 9110 §8.6, RFC 9112 §6.3).
    ///
    /// A length above ``RequestHead/longestBody`` is read as that, which no server accepts.
    private mutating func readContentLength(_ value: Span<UInt8>) throws(RequestError) {
        guard !seen.contentLength, let length = value.wholeNumber else {
            throw .invalidContentLength
        }
        guard !seen.transferEncoding else { throw .conflictingFraming }
        seen.contentLength = true
        head.framing = .length(min(length, RequestHead.longestBody))
    }

    /// Reads Transfer-Encoding (RFC 9112 §6.1 and §6.3): only `chunked` alone is accepted.
    ///
    /// Without `chunked` at the end, the length of a request's body is unknown: 400 for any coding.
    /// A coding before `chunked` is not supported by this server: 501.
    private mutating func readTransferEncoding(_ value: Span<UInt8>) throws(RequestError) {
        guard head.version == .http11, !seen.transferEncoding, !seen.contentLength else {
            throw .conflictingFraming
        }
        var chunkedCount = 0
        var isChunkedLast = false
        var elementCount = 0
        var rest: Range<Int>? = value.indices
        while let element = value.nextElement(in: &rest) {
            guard value.isToken(in: element) else { throw .conflictingFraming }
            isChunkedLast = value.equals("chunked", in: element)
            chunkedCount += isChunkedLast ? 1 : 0
            elementCount += 1
        }
        guard isChunkedLast, chunkedCount == 1 else { throw .conflictingFraming }
        guard elementCount == 1 else { throw .unsupportedTransferCoding }
        seen.transferEncoding = true
        head.framing = .chunked
    }

    /// Reads Connection (RFC 9110 §7.6.1); its options are compared without regard to case.
    private mutating func readConnection(_ value: Span<UInt8>) {
        // Nearly all clients send this value.
        if value.equals("keep-alive", in: value.indices) {
            seen.keepAlive = true
            return
        }
        var rest: Range<Int>? = value.indices
        while let element = value.nextElement(in: &rest) {
            if value.equals("close", in: element) { seen.close = true }
            if value.equals("keep-alive", in: element) { seen.keepAlive = true }
        }
    }

    /// Reads Expect (RFC 9110 §10.1.1); `100-continue` has no meaning in HTTP/1.0.
    private mutating func readExpect(_ value: Span<UInt8>) {
        var rest: Range<Int>? = value.indices
        while let element = value.nextElement(in: &rest) {
            if value.equals("100-continue", in: element) {
                head.expectsContinue = head.version == .http11
            } else if !element.isEmpty {
                head.hasUnknownExpectation = true
            }
        }
    }
}

extension KnownField {
    /// Whether the field controls the message.
    fileprivate var isForMessage: Bool {
        switch self {
        case .host, .contentLength, .transferEncoding, .connection, .expect: true
        default: false
        }
    }
}
