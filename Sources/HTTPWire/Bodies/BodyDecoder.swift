/// Takes a body apart by its framing (RFC 9112 §6 and §7); trailers are read and dropped.
package struct BodyDecoder: Sendable {
    private enum State: Sendable {
        case length(remaining: Int)
        case chunked(ChunkedDecoder)
    }

    private let limit: Int
    private var state: State

    /// A decoder for the body that follows a head.
    ///
    /// - Parameters:
    ///   - framing: The head's.
    ///   - limit: The most bytes of the body, chunk framing not counted. A longer body is refused
    ///     by the first call of `decode`, or before it (``RequestHead/Framing/exceeds(_:)``).
    package init(_ framing: RequestHead.Framing, limit: Int) {
        self.limit = limit
        state =
            switch framing {
            case .none: .length(remaining: 0)
            case .length(let length): .length(remaining: length)
            case .chunked: .chunked(ChunkedDecoder(limit: limit))
            }
    }

    /// Bytes that were read but are no content: those take the longest.
    package var framingByteCount: Int {
        if case .chunked(let decoder) = state { decoder.framingByteCount } else { 0 }
    }

    /// Appends body bytes to `output`.
    ///
    /// - Parameters:
    ///   - input: What has arrived and was not taken before.
    ///   - output: What the body's bytes are appended to.
    /// - Returns: How many bytes of `input` were taken, and whether the body is at its end.
    /// - Throws: Why the body is refused; the connection then closes.
    package mutating func decode(
        _ input: Span<UInt8>,
        into output: inout [UInt8]
    ) throws(RequestError) -> (count: Int, isComplete: Bool) {
        switch state {
        case .length(let remaining):
            // What is left only shrinks: past the limit it is so at the first call.
            guard remaining <= limit else { throw .bodyTooLarge(limit: limit) }
            let count = min(remaining, input.count)
            output.append(copying: input.extracting(first: count))
            state = .length(remaining: remaining - count)
            return (count, count == remaining)
        case .chunked(var decoder):
            let result = try decoder.decode(input, into: &output)
            state = .chunked(decoder)
            return result
        }
    }
}

extension RequestHead.Framing {
    /// Whether the head alone says that the body has more than `limit` bytes.
    package func exceeds(_ limit: Int) -> Bool {
        guard case .length(let length) = self else { return false }
        return length > limit
    }
}
