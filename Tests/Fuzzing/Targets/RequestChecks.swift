import HTTPWire

/// Every way of cutting has one outcome, and what is taken for a request is one.
enum RequestChecks {
    static func run(_ input: [UInt8]) throws(Finding) {
        let whole = RequestStream.outcome(of: [input])
        for parts in input.cuttings {
            let other = RequestStream.outcome(of: parts)
            try require(other == whole, "\(other) rather than \(whole)")
        }
        for message in whole.messages {
            let head = message.head
            try require(NaiveHead(head.bytes) == NaiveHead(head), "misread: \(head.bytes.text)")
            for field in head.fields { try FieldChecks.run(Array(head.bytes[field.value])) }
            for known in KnownField.allCases { _ = head.value(known) }
            _ = try? head.pathSegments()
        }
    }
}

/// A connection's input: requests one behind the other, as far as they can be read.
struct RequestStream {
    struct Message {
        var head: RequestHead
        var body: [UInt8]
    }

    enum End: Equatable {
        case waiting(isMidway: Bool, body: [UInt8])
        case refused(RequestError, isForHead: Bool)
    }

    struct Outcome: Equatable {
        var messages: [Message] = []
        var end = End.waiting(isMidway: false, body: [])
    }

    private var parser: RequestParser
    private var decoder: BodyDecoder?
    private var body: [UInt8] = []
    private var messages: [Message] = []

    /// Small limits are reached by small inputs.
    private init() {
        var limits = HeadLimits()
        limits.targetByteLimit = 200
        limits.headByteLimit = 1000
        limits.fieldLimit = 16
        parser = RequestParser(limits: limits)
    }

    static func outcome(of parts: [[UInt8]]) -> Outcome {
        var stream = RequestStream()
        do throws(RequestError) {
            for part in parts { try stream.take(part) }
        } catch {
            let end = End.refused(error, isForHead: stream.parser.isForHead)
            return Outcome(messages: stream.messages, end: end)
        }
        let end = End.waiting(isMidway: stream.parser.isMidway, body: stream.body)
        return Outcome(messages: stream.messages, end: end)
    }

    private mutating func take(_ part: [UInt8]) throws(RequestError) {
        var offset = 0
        while offset < part.count {
            let rest = part.span.extracting(offset...)
            if var decoder {
                let (count, isComplete) = try decoder.decode(rest, into: &body)
                self.decoder = decoder
                offset += count
                if isComplete { endMessage() }
            } else {
                let (count, isComplete) = try parser.consume(rest)
                offset += count
                if isComplete { try endHead() }
            }
        }
    }

    private mutating func endHead() throws(RequestError) {
        var decoder = BodyDecoder(parser.head.framing, limit: 500)
        if parser.head.framing == .chunked {
            self.decoder = decoder
        } else if try decoder.decode([UInt8]().span, into: &body).isComplete {
            endMessage()
        } else {
            self.decoder = decoder
        }
    }

    private mutating func endMessage() {
        messages.append(Message(head: parser.head, body: body))
        decoder = nil
        body = []
        parser.reset(keepingStorage: true)
    }
}

extension RequestStream.Message: Equatable {
    static func == (left: Self, right: Self) -> Bool {
        left.body == right.body && left.head.bytes == right.head.bytes
            && left.head.method == right.head.method && left.head.target == right.head.target
            && left.head.framing == right.head.framing && left.head.version == right.head.version
            && left.head.isPersistent == right.head.isPersistent
            && left.head.expectsContinue == right.head.expectsContinue
            && left.head.hasUnknownExpectation == right.head.hasUnknownExpectation
            && left.head.fields.map(\.name) == right.head.fields.map(\.name)
            && left.head.fields.map(\.value) == right.head.fields.map(\.value)
            && left.head.fields.map(\.known) == right.head.fields.map(\.known)
    }
}
