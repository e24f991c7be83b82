import HTTPWire

/// Reads a request's body: keeps it for the handler, or drops it.
struct BodyCollector {
    /// What becomes of the body.
    enum Purpose {
        case keep(
            refuse: @Sendable (BodyRefusal) -> Response,
            then: @Sendable (ReceivedBody, Responder) -> Void
        )
        case drop
    }

    /// Why reading ended before the body did.
    enum Failure: Error {
        case refused(BodyRefusal)
        /// Its framing is wrong; the connection cannot go on.
        case broken(RequestError)
    }

    let purpose: Purpose
    private let byteLimit: Int
    private var decoder: BodyDecoder
    private var inflater: Inflater?
    private(set) var content: [UInt8] = []
    /// The body as it was sent, where it is in gzip.
    private var coded: [UInt8] = []
    /// Whether it is in gzip, and too long to be taken apart here.
    private var isLeftCoded = false

    /// Bytes of content that are decoded on a loop at most, and bytes that they are decoded from.
    static let inflatedByteLimit = 64 << 10

    /// Whether a content coding is taken off.
    var inflates: Bool { inflater != nil }

    /// What taking it apart has cost so far, as ``Connection/turnCost`` counts.
    var inflationCost: Int { (content.count >> 10) + (coded.count >> 9) }

    /// Bytes of what is compressed that are taken at a time; there is no more than a thousand times
    /// as much in them (deflate's limit is 1032).
    static let part = 64

    /// Bytes that it keeps in memory.
    var heldByteCount: Int {
        content.capacity + coded.capacity + (inflates ? Inflater.byteCount : 0)
    }

    /// What was received, when it is at its end.
    var received: ReceivedBody {
        isLeftCoded
            ? .coded(CodedContent(coded, byteLimit: byteLimit)) : .content(content)
    }

    init(_ head: RequestHead, byteLimit: Int, purpose: Purpose) throws(BodyRefusal) {
        self.purpose = purpose
        self.byteLimit = byteLimit
        decoder = BodyDecoder(head.framing, limit: byteLimit)
        guard !head.framing.exceeds(byteLimit) else { throw .tooLarge(limit: byteLimit) }
        if case .length(let count) = head.framing {
            // What is only announced gets no more memory than one read brings.
            content.reserveCapacity(min(count, 64 << 10))
        }
        if case .keep = purpose {
            inflater = try BodyCollector.inflater(for: head, byteLimit: byteLimit)
        }
    }

    private static func inflater(
        for head: RequestHead,
        byteLimit: Int
    ) throws(BodyRefusal) -> Inflater? {
        guard let coding = head.value(.contentEncoding) else { return nil }
        switch coding.lowercased() {
        case "", "identity": return nil
        case "gzip", "x-gzip": return Inflater(byteLimit: byteLimit)
        default: throw .unsupportedCoding(coding)
        }
    }

    /// Takes a part of the body.
    ///
    /// - Returns: How many bytes of `input` belonged to it, and whether it is at its end.
    mutating func take(_ input: Span<UInt8>) throws(Failure) -> (count: Int, isComplete: Bool) {
        do {
            guard case .keep = purpose else {
                // Not kept: of slow bodies there may be many.
                var scratch: [UInt8] = []
                return try decoder.decode(input, into: &scratch)
            }
            if isLeftCoded { return try decoder.decode(input, into: &coded) }
            guard inflater != nil else { return try decoder.decode(input, into: &content) }
            let start = coded.count
            let result = try decoder.decode(input, into: &coded)
            try inflate(Array(coded[start...]), isComplete: result.isComplete)
            return result
        } catch let error as RequestError {
            if case .bodyTooLarge = error { throw .refused(.tooLarge(limit: byteLimit)) }
            throw .broken(error)
        } catch let failure as Inflater.Failure {
            throw .refused(BodyRefusal(failure, byteLimit: byteLimit))
        } catch {
            preconditionFailure("every error of the two decoders is named above")
        }
    }

    private mutating func inflate(
        _ scratch: [UInt8],
        isComplete: Bool
    ) throws(Inflater.Failure) {
        guard let inflater else { return }
        try inflater.decode(scratch, into: &content)
        if max(content.count, coded.count) > BodyCollector.inflatedByteLimit {
            isLeftCoded = true
            content = []
            self.inflater = nil
        } else if isComplete {
            guard inflater.isAtEnd else { throw .truncated }
            coded = []
        }
    }
}
