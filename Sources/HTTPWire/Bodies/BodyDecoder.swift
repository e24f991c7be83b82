/// Decodes a body by its framing (RFC 9112 §6 and §7); trailers are read and dropped.
package struct BodyDecoder: Sendable {
    private enum State: Sendable {
        case length(remaining: Int)
        case chunked(ChunkedDecoder)
    }

    private let limit: Int
    private var state: State

    /// Makes a decoder for the body that follows a head.
    ///
    /// - Parameter limit: The most bytes of the body, without chunk framing. A longer body is
    ///   refused by the first call of `decode`, or before it (``RequestHead/Framing/exceeds(_:)``).
    package init(_ framing: RequestHead.Framing, limit: Int) {
        self.limit = limit
        state =
            switch framing {
            case .none: .length(remaining: 0)
            case .length(let length): .length(remaining: length)
            case .chunked: .chunked(ChunkedDecoder(limit: limit))
            }
    }

    /// The number of bytes read that are the framing of chunks and not content; reading a byte of
    /// framing takes longer.
    package var framingByteCount: Int {
        if case .chunked(let decoder) = state { decoder.framingByteCount } else { 0 }
    }

    /// Decodes bytes that have arrived and were not taken before, appends their content to
    /// `output`, and returns the number of bytes taken.
    ///
    /// After an error, the connection cannot be used any more.
    package mutating func decode(
        _ input: Span<UInt8>,
        into output: inout [UInt8]
    ) throws(RequestError) -> (count: Int, isComplete: Bool) {
        switch state {
        case .length(let remaining):
            // The remaining length only shrinks, so it can exceed the limit only at the first call.
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
    /// Returns whether the head states that the body has more than `limit` bytes.
    package func exceeds(_ limit: Int) -> Bool {
        guard case .length(let length) = self else { return false }
        return length > limit
    }
}
