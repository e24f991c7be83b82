import Gzip
import HTTPWire

/// Reads the body of one request: collects the content for the handler, or drops it.
struct BodyCollector {
    /// The destination of the body's content.
    enum Purpose {
        /// Collect the content; `then` gets the whole body, or `refuse` the reason why there is
        /// none.
        case keep(
            refuse: @Sendable (BodyRefusal) -> Response,
            then: @Sendable (ReceivedBody) -> Reply
        )
        /// Drop the content, so that the connection can be used for the next request.
        case drop
    }

    /// The reason why reading ended before the body did.
    enum Failure: Error {
        case refused(BodyRefusal)
        /// The framing of the body is wrong; the connection cannot be used any more.
        case broken(RequestError)
    }

    let purpose: Purpose
    private let byteLimit: Int
    private var decoder: BodyDecoder
    /// The decoder of a gzip body; `nil` for any other body, and once ``isLeftCoded``.
    private var inflater: Inflater?
    private(set) var content: [UInt8] = []
    /// The bytes of a gzip body before decoding; empty for any other body.
    private var coded: [UInt8] = []
    /// Whether a gzip body is too long to be decoded on the event loop: the handler gets `coded`.
    private var isLeftCoded = false

    /// The limit in bytes up to which the loop decodes a gzip body itself; it holds for the
    /// compressed bytes and for the content.
    static let inflatedByteLimit = 64 << 10

    /// The number of bytes received, including the framing of chunks.
    private var takenByteCount = 0
    /// The number of compressed bytes that were decoded.
    private var deflatedByteCount = 0
    /// The number of bytes that decoding produced.
    private var inflatedByteCount = 0

    private let isChunked: Bool

    private var inflates: Bool { inflater != nil }

    /// The cost of reading the body so far, in units of ``ConnectionTurn/cost``: a small request
    /// costs 1.
    var cost: Int {
        (takenByteCount >> 14) + framingCost + (deflatedByteCount >> 9) + (inflatedByteCount >> 10)
    }

    /// The part of ``cost`` that was spent on chunk-size lines and other framing, not on content.
    var framingCost: Int { decoder.framingByteCount >> 9 }

    /// The most bytes to pass to one call of ``take(_:)``.
    ///
    /// Compressed bodies are read in small parts: 64 compressed bytes decode to 66,048 bytes at
    /// most, because deflate's greatest ratio is 1032 to 1.
    var part: Int { inflates ? 64 : isChunked ? 16 << 10 : .max }

    /// The number of bytes of memory that the body takes so far.
    var heldByteCount: Int {
        content.capacity + coded.capacity + (inflates ? Inflater.byteCount : 0)
    }

    /// The whole body for the handler, once it is complete.
    var received: ReceivedBody {
        isLeftCoded ? .coded(coded, byteLimit: byteLimit) : .content(content)
    }

    /// Makes the collector for the body of a request.
    ///
    /// - Parameter byteLimit: The most bytes of the body, and of its content.
    /// - Throws: The refusal, if the head announces a body that is too long or in an unsupported
    ///   coding.
    init(_ head: RequestHead, byteLimit: Int, purpose: Purpose) throws(BodyRefusal) {
        self.purpose = purpose
        self.byteLimit = byteLimit
        decoder = BodyDecoder(head.framing, limit: byteLimit)
        isChunked = head.framing == .chunked
        guard !head.framing.exceeds(byteLimit) else { throw .tooLarge(limit: byteLimit) }
        if case .length(let count) = head.framing {
            // A Content-Length alone reserves no more memory than one read brings.
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

    /// Takes the next part of the body, and returns the number of bytes of `input` that belong to
    /// the body.
    mutating func take(_ input: Span<UInt8>) throws(Failure) -> (count: Int, isComplete: Bool) {
        takenByteCount += input.count
        do {
            guard case .keep = purpose else {
                // Dropped content takes no memory: many slow clients may send such bodies at once.
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

    /// Decodes the compressed bytes that were just received, unless the body has become too long to
    /// be decoded on the event loop.
    private mutating func inflate(_ scratch: [UInt8], isComplete: Bool) throws(Inflater.Failure) {
        guard let inflater else { return }
        let start = content.count
        deflatedByteCount += scratch.count
        defer { inflatedByteCount += max(0, content.count - start) }
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
