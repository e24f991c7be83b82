import HTTPWire

/// Reads a request's body: keeps it for the handler, or drops it.
struct BodyCollector {
    /// What becomes of the body.
    enum Purpose {
        case keep(
            refuse: @Sendable (BodyRefusal) -> Response,
            then: @Sendable ([UInt8], Responder) -> Void
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

    /// Whether a content coding is taken off.
    var inflates: Bool { inflater != nil }

    /// Bytes of what is compressed that are taken at a time; there is no more than a thousand times
    /// as much in them (deflate's limit is 1032).
    static let part = 64

    /// Bytes that it keeps in memory.
    var heldByteCount: Int { content.capacity + (inflates ? Inflater.byteCount : 0) }

    init(_ head: RequestHead, byteLimit: Int, purpose: Purpose) throws(Failure) {
        self.purpose = purpose
        self.byteLimit = byteLimit
        decoder = BodyDecoder(head.framing, limit: byteLimit)
        guard !head.framing.exceeds(byteLimit) else {
            throw .refused(.tooLarge(limit: byteLimit))
        }
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
    ) throws(Failure) -> Inflater? {
        guard let coding = head.value(.contentEncoding) else { return nil }
        switch coding.lowercased() {
        case "", "identity": return nil
        case "gzip", "x-gzip": return Inflater(byteLimit: byteLimit)
        default: throw .refused(.unsupportedCoding(coding))
        }
    }

    /// Takes a part of the body.
    ///
    /// - Returns: How many bytes of `input` belonged to it, and whether it is at its end.
    mutating func take(_ input: Span<UInt8>) throws(Failure) -> (count: Int, isComplete: Bool) {
        do {
            if inflater == nil, case .keep = purpose {
                return try decoder.decode(input, into: &content)
            }
            // Not kept: of slow bodies there may be many.
            var scratch: [UInt8] = []
            let result = try decoder.decode(input, into: &scratch)
            try inflate(scratch, isComplete: result.isComplete)
            return result
        } catch let error as RequestError {
            if case .bodyTooLarge = error { throw .refused(.tooLarge(limit: byteLimit)) }
            throw .broken(error)
        } catch let failure as Inflater.Failure {
            throw .refused(failure == .tooLarge ? .tooLarge(limit: byteLimit) : .malformedCoding)
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
        if isComplete, !inflater.isAtEnd { throw .malformed }
    }
}
